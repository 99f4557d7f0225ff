#include "reader/streamed_recording.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "reader/record_walk.h"

namespace perfsift::reader {
namespace {

constexpr std::size_t read_size = std::size_t{256} << 10;
// Larger trailing data (formats of tracepoints) is not believed.
constexpr std::uint64_t largest_trailing = std::uint64_t{256} << 20;

}  // namespace

StreamedRecording::StreamedRecording(InputFile input, Bytes start, const OpenOptions& options)
    : RecordingBase(input.path, options), source_(std::move(input.source)) {
  header_ = parse_file_header(start, path_);
}

void StreamedRecording::visit_parallel(unsigned,
                                       const std::function<std::unique_ptr<SampleVisitor>(unsigned worker)>& make) {
  const auto visitor = make(0);
  InOrder in_order(*visitor);
  visit_in_order(in_order);
  visitor->finish();
}

void StreamedRecording::visit_in_order(OrderedVisitor& visitor) {
  if (visited_) throw InputError(path_ + ": a stream can be read only once; save it to a file first");
  visited_ = true;
  OrderedDelivery delivery(events_, deferred_, visitor,
                           {.before_record =
                                [this](const Record& record, Moment moment, const SampleId& id) {
                                  if (!timeline_.apply(record, moment, id)) ++stats_.malformed[record.header.type];
                                },
                            .keep_records = true});
  while (fill()) take_records(buffer_, delivery, true);
  take_end();
  delivery.finish();
  stats_.out_of_order = delivery.out_of_order();
  add_delivery_counts(delivery.counts());
  publish_counts();
}

// Reads what is there; false at the end of the stream.
bool StreamedRecording::fill() {
  const std::size_t got = source_->read(buffer_.room(read_size));
  buffer_.filled(got);
  return got != 0;
}

// What is left when the stream has ended is not a whole record.
void StreamedRecording::take_end() {
  const std::size_t left = buffer_.unread().size();
  if (left != 0 || trailing_ != 0) add_damage(path_, offset_, left, "the stream ends in the middle of a record");
  const std::size_t expanded = decompressor_.buffer().unread().size();
  if (expanded != 0) add_damage(path_, offset_, expanded, "the compressed records end in the middle of one");
}

// Takes what is whole in the buffer, and leaves out what is damaged in the middle of it.
void StreamedRecording::take_records(RecordBuffer& buffer, OrderedDelivery& delivery, bool compressed_allowed) {
  while (true) {
    if (compressed_allowed) skip_trailing();
    const Bytes unread = buffer.unread();
    if (unread.size() < record_header_size) return;
    const RecordHeader header = decode_record_header(unread.data(), header_.order);
    RecordExtent extent = extent_of(header, unread, header_.order);
    const bool too_large = header.type == RecordType::header_tracing_data && extent.trailing > largest_trailing;
    std::size_t used;
    if (extent.state == RecordExtent::State::corrupt || too_large) {
      used = find_next_record(unread, header_.order);
      add_damage(path_, offset_, used, "not a record: skipped to where records go on");
    } else {
      // The data of an AUX area is not kept: it may be larger than memory.
      if (header.type == RecordType::auxtrace && extent.record != 0 && extent.record <= unread.size()) {
        trailing_ = std::exchange(extent.trailing, 0);
        extent.state = RecordExtent::State::whole;
      }
      if (extent.state == RecordExtent::State::partial) return;
      used = static_cast<std::size_t>(extent.record + extent.trailing);
      take_record({.header = header,
                   .payload = unread.subspan(record_header_size, extent.record - record_header_size),
                   .trailing = unread.subspan(extent.record, extent.trailing),
                   .position = position_,
                   .order = header_.order},
                  delivery, compressed_allowed);
    }
    buffer.consume(used);
    position_ += used;
    if (compressed_allowed) offset_ += used;
  }
}

void StreamedRecording::skip_trailing() {
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(trailing_, buffer_.unread().size()));
  buffer_.consume(size);
  trailing_ -= size;
  position_ += size;
  offset_ += size;
}

void StreamedRecording::take_record(const Record& record, OrderedDelivery& delivery, bool compressed_allowed) {
  if (record.header.type == RecordType::sample) {
    take_sample(record);
  } else {
    take(record);
  }
  const bool compressed = record.header.type == RecordType::compressed || record.header.type == RecordType::compressed2;
  if (!compressed || !compressed_allowed) return delivery.take(record);

  if (!decompressor_.expand(record, expansion_limit())) {
    add_damage(path_, offset_, record.payload.size(), "a COMPRESSED record could not be expanded");
  }
  take_records(decompressor_.buffer(), delivery, false);
}

}  // namespace perfsift::reader
