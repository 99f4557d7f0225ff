#include "record/rings/ring_reader.h"

#include <algorithm>
#include <cstring>

#include "reader/records/auxtrace.h"
#include "reader/records/loss.h"

namespace perfsift::record {

void RingReader::count(const reader::RecordHeader& header, std::size_t offset) {
  using Type = reader::RecordType;
  if (header.type == Type::sample) ++counts_.samples;
  if (header.type != Type::lost && header.type != Type::lost_samples && header.type != Type::aux) return;
  std::vector<std::byte> bytes(header.size);
  seen_.part(offset, header.size).copy_to(bytes.data());
  count_loss(record_in(bytes));
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

void RingReader::give(Pieces part, std::size_t number, RecordSink& sink) {
  if (part.size() == 0) return;
  if (part.second.empty()) return sink.records(number, part.first);
  copy_.resize(part.size());
  part.copy_to(copy_.data());
  sink.records(number, copy_);
}

void RingReader::pass_on(std::size_t number, RecordSink& sink) {
  const std::size_t wrap = seen_.first.size();
  std::size_t before_wrap = 0, after_wrap = 0;  // where the record that wraps begins and ends
  const std::size_t whole = walk_records(seen_, [&](const reader::RecordHeader& header, std::size_t offset) {
    count(header, offset);
    if (offset + header.size <= wrap) before_wrap = offset + header.size;
    if (offset < wrap) after_wrap = offset + header.size;
  });
  give(seen_.part(0, before_wrap), number, sink);
  give(seen_.part(before_wrap, after_wrap - before_wrap), number, sink);
  give(seen_.part(after_wrap, whole - after_wrap), number, sink);
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

// Copies the records of an overwritten ring, the newest first, and returns the number of bytes.
std::size_t RingReader::copy_paused() {
  const auto [newest_first, written] = ring_.pause();
  copy_.resize(newest_first.size());
  newest_first.copy_to(copy_.data());
  // A record that was begun before the pause may have been finished since, over the oldest bytes.
  const std::uint64_t late = ring_.written() - written;
  ring_.resume();
  const std::uint64_t intact = ring_.capacity() - std::min<std::uint64_t>(late, ring_.capacity());
  const std::size_t kept = static_cast<std::size_t>(std::min<std::uint64_t>(copy_.size(), intact));
  const std::uint64_t unseen = written - written_;
  counts_.overwritten += unseen - std::min<std::uint64_t>(unseen, kept);
  written_ = written;
  return kept;
}

void RingReader::snapshot(std::size_t number, RecordSink& sink) {
  const std::size_t size = copy_paused();
  ordered_.resize(size);
  seen_ = {Bytes(copy_).first(size), {}};
  const std::size_t whole = walk_records(seen_, [&](const reader::RecordHeader& header, std::size_t offset) {
    count(header, offset);
    std::memcpy(ordered_.data() + (size - offset - header.size), copy_.data() + offset, header.size);
  });
  seen_ = {};
  if (whole != 0) sink.records(number, Bytes(ordered_).last(whole));
  // Snapshots are rare, and rings of all CPUs together would take three times their size.
  copy_ = {};
  ordered_ = {};
}

void RingReader::drop_ring() {
  if (ring_.kind() == Ring::Kind::overwritten) counts_.overwritten += ring_.written() - written_;
  const Ring dropped = std::move(ring_);
  written_ = 0;
  seen_ = {};
}

}  // namespace perfsift::record
