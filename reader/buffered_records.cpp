#include "reader/buffered_records.h"

#include <algorithm>
#include <utility>

namespace perfsift::reader {
namespace {

using State = RecordExtent::State;

bool may_be_expanded(RecordType type) { return type != RecordType::compressed && !has_special_extent(type); }

}  // namespace

BufferedRecords::BufferedRecords(std::unique_ptr<RecordBuffer> buffer, ByteOrder order, Content content,
                                 std::function<void(const Skipped&)> on_skipped)
    : buffer_(std::move(buffer)), order_(order), content_(content), on_skipped_(std::move(on_skipped)) {}

bool BufferedRecords::next(Record& record) {
  if (!skip_trailing()) return false;
  while (!lost_ || find_next()) {
    const Bytes unread = buffer_->unread();
    if (unread.empty()) return false;

    RecordExtent extent;
    if (unread.size() >= record_header_size) {
      record.header = decode_record_header(unread.data(), order_);
      extent = extent_at_start(unread, record.header);
    }
    if (extent.state == State::whole) {
      record.order = order_;
      record.payload = unread.subspan(record_header_size, extent.record - record_header_size);
      record.trailing = unread.subspan(extent.record, extent.trailing);
      consume(extent.record + extent.trailing);
      jumped_ = extent.trailing != 0 || trailing_ != 0;
      return true;
    }
    if (extent.state == State::partial && !ended_) return false;
    lost_ = true;
    skipped_ = {.offset = offset_};
  }
  return false;
}

RecordExtent BufferedRecords::extent_at_start(Bytes unread, const RecordHeader& header) {
  RecordExtent extent = extent_of(header, unread, order_);
  if (std::exchange(jumped_, false) && !is_plausible(header)) extent.state = State::corrupt;
  if (content_ == Content::expanded && !may_be_expanded(header.type)) extent.state = State::corrupt;
  if (header.type == RecordType::auxtrace && extent.state == State::partial && extent.record != 0 &&
      extent.record <= unread.size()) {
    trailing_ = std::exchange(extent.trailing, 0);
    extent.state = State::whole;
  }
  return extent;
}

// False while all bytes in the buffer belong to the data after a record.
bool BufferedRecords::skip_trailing() {
  if (trailing_ == 0) return true;
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(trailing_, buffer_->unread().size()));
  consume(size);
  trailing_ -= size;
  if (trailing_ != 0 && ended_) {
    on_skipped_({.offset = offset_, .bytes = 0, .to_the_end = true});
    trailing_ = 0;
  }
  return trailing_ == 0;
}

// Continues the search for the next record. False when more bytes are needed to decide, or when no more bytes will
// come.
bool BufferedRecords::find_next() {
  const std::size_t from = skipped_.bytes == 0 ? 1 : 0;
  const NextRecord found = find_next_record(buffer_->unread(), from, order_, ended_);
  consume(found.skip);
  skipped_.bytes += found.skip;
  if (!found.found && !ended_) return false;

  skipped_.to_the_end = !found.found;
  on_skipped_(skipped_);
  lost_ = false;
  return found.found;
}

void BufferedRecords::consume(std::size_t size) {
  buffer_->consume(size);
  offset_ += size;
}

}  // namespace perfsift::reader
