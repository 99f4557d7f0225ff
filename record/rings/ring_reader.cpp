#include "record/rings/ring_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "reader/format/garbage.h"
#include "reader/records/auxtrace.h"
#include "reader/records/loss.h"

namespace perfsift::record {

void RingReader::look_at(const reader::RecordHeader& header, std::size_t offset) {
  using Type = reader::RecordType;
  if (header.type == Type::sample) ++counts_.samples;
  const bool is_loss = header.type == Type::lost || header.type == Type::lost_samples || header.type == Type::aux;
  if (!is_loss && !reader::may_have_garbage(header.type)) return;
  std::vector<std::byte> bytes(header.size);
  seen_.part(offset, header.size).copy_to(bytes.data());
  const reader::Record record = record_in(bytes);
  if (is_loss) return count_loss(record);
  const std::size_t size = reader::garbage_size(record, trailer_);
  if (size != 0) garbage_.push_back({.offset = offset, .record_size = header.size, .size = size});
}

void RingReader::count_loss(const reader::Record& record) {
  if (record.header.type == reader::RecordType::lost) {
    if (const auto lost = reader::decode_lost(record)) counts_.lost_records += lost->lost;
  } else if (record.header.type == reader::RecordType::lost_samples) {
    if (const auto lost = reader::decode_lost_samples(record)) counts_.lost_samples += lost->lost;
  } else if (const auto aux = reader::decode_aux(record)) {
    counts_.trace.truncated += aux->truncated() ? 1 : 0;
    counts_.trace.partial += aux->partial() ? 1 : 0;
    counts_.trace.collisions += aux->collision() ? 1 : 0;
  }
}

void RingReader::give_range(std::size_t begin, std::size_t end, std::size_t number, RecordSink& sink) {
  for (const Garbage& garbage : garbage_) {
    if (garbage.offset < begin || garbage.offset >= end) continue;
    give_part(seen_.part(begin, garbage.offset - begin), number, sink);
    give_without(garbage, number, sink);
    begin = garbage.offset + garbage.record_size;
  }
  give_part(seen_.part(begin, end - begin), number, sink);
}

void RingReader::give_without(const Garbage& garbage, std::size_t number, RecordSink& sink) {
  copy_.resize(garbage.record_size);
  seen_.part(garbage.offset, garbage.record_size).copy_to(copy_.data());
  const auto size = static_cast<std::uint16_t>(garbage.record_size - garbage.size);
  constexpr std::size_t place_of_size = 6;
  std::memcpy(copy_.data() + place_of_size, &size, sizeof size);
  sink.records(number, Bytes(copy_).first(size));
}

void RingReader::give_part(Pieces part, std::size_t number, RecordSink& sink) {
  if (part.size() == 0) return;
  if (part.second.empty()) return sink.records(number, part.first);
  copy_.resize(part.size());
  part.copy_to(copy_.data());
  sink.records(number, copy_);
}

void RingReader::pass_on(std::size_t number, RecordSink& sink) {
  const std::size_t wrap = seen_.first.size();
  std::size_t before_wrap = 0, after_wrap = 0;  // where the record that wraps begins and ends
  garbage_.clear();
  const std::size_t whole = walk_records(seen_, [&](const reader::RecordHeader& header, std::size_t offset) {
    look_at(header, offset);
    if (offset + header.size <= wrap) before_wrap = offset + header.size;
    if (offset < wrap) after_wrap = offset + header.size;
  });
  give_range(0, before_wrap, number, sink);
  give_range(before_wrap, after_wrap, number, sink);
  give_range(after_wrap, whole, number, sink);
  // The kernel moves the head by whole records only. So bytes behind the last whole record are damaged, and no record
  // can be found in them.
  counts_.damaged += seen_.size() - whole;
  ring_.release(seen_.size());
  seen_ = {};
  if (area_) pass_on_trace(number, sink);
}

void RingReader::pass_on_trace(std::size_t number, RecordSink& sink) {
  const AuxArea::Unread unread = area_->unread();
  emptied_area_ = unread.trace.size() != 0;
  if (!emptied_area_) return;
  sink.trace({.ring = number, .tid = tid_, .cpu = cpu_, .position = unread.position, .bytes = unread.trace});
  area_->release(unread);
  counts_.trace.bytes += unread.trace.size();
  counts_.damaged += unread.skipped;
}

RingCopy RingReader::copy(std::size_t number) const {
  RingCopy copy{.ring = number, .written = ring_.written(), .newest_first = {}};
  const Pieces newest_first = ring_.newest_first(copy.written);
  copy.newest_first.resize(newest_first.size());
  newest_first.copy_to(copy.newest_first.data());
  return copy;
}

// A record that was being written over the oldest bytes is whole after some microseconds, and is then counted.
void RingReader::settle(RingCopy& copy) const {
  const std::uint64_t late = ring_.written() - copy.written;
  const std::uint64_t intact = ring_.capacity() - std::min<std::uint64_t>(late, ring_.capacity());
  if (intact < copy.newest_first.size()) copy.newest_first.resize(static_cast<std::size_t>(intact));
}

void RingReader::give(const RingCopy& copy, RecordSink& sink) {
  const std::size_t size = copy.newest_first.size();
  std::vector<std::byte> oldest_first(size);
  seen_ = {copy.newest_first, {}};
  const std::size_t whole = walk_records(seen_, [&](const reader::RecordHeader& header, std::size_t offset) {
    look_at(header, offset);
    std::memcpy(oldest_first.data() + (size - offset - header.size), copy.newest_first.data() + offset, header.size);
  });
  seen_ = {};
  const std::uint64_t unseen = copy.written - std::exchange(written_, copy.written);
  counts_.overwritten += unseen - std::min<std::uint64_t>(unseen, whole);
  if (whole != 0) sink.records(copy.ring, Bytes(oldest_first).last(whole));
}

void RingReader::drop_ring() {
  if (ring_.kind() == Ring::Kind::overwritten) counts_.overwritten += ring_.written() - written_;
  const Ring dropped = std::move(ring_);
  written_ = 0;
  seen_ = {};
}

}  // namespace perfsift::record
