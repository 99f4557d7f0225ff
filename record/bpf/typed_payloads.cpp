#include "record/bpf/typed_payloads.h"

#include <bit>
#include <cstring>
#include <optional>

#include "record/rings/pieces.h"

namespace perfsift::record {

namespace {

namespace bit = reader::sample_bit;

constexpr std::size_t size_of_field = 8, size_of_length = 4;

// The fields of a PayloadSource's samples that stand in front of others: each has 8 bytes.
std::size_t bytes_of(std::uint64_t fields) { return size_of_field * static_cast<std::size_t>(std::popcount(fields)); }

std::size_t raw_at(const reader::EventAttr& attr) {
  return reader::record_header_size + bytes_of(attr.sample_type & ~bit::raw);
}

std::int32_t tid_in(const reader::EventAttr& attr, Bytes record) {
  if (!attr.has(bit::tid)) return 0;
  ByteReader in(record);
  in.skip(reader::record_header_size + bytes_of(attr.sample_type & (bit::identifier | bit::ip)));
  in.skip(sizeof(std::int32_t));  // the process
  return in.i32();
}

std::optional<Bytes> raw_of(const reader::EventAttr& attr, Bytes record) {
  ByteReader in(record);
  in.skip(raw_at(attr));
  const Bytes raw = in.bytes(in.u32());
  return in.ok() ? std::optional(raw) : std::nullopt;
}

std::size_t padded(std::size_t raw) { return (raw + size_of_length + 7) / 8 * 8 - size_of_length; }

}  // namespace

bool has_raw_size(std::size_t payload, std::size_t raw) { return padded(payload) == raw; }

std::optional<std::size_t> raw_size_of(const reader::EventAttr& attr, Bytes record) {
  const auto raw = raw_of(attr, record);
  return raw ? std::optional(raw->size()) : std::nullopt;
}

reader::EventAttr typed_attr(const reader::EventAttr& attr) {
  reader::EventAttr typed = attr;
  typed.type = reader::event_type::tracepoint;
  typed.config = PayloadFormat::tracepoint_id;
  return typed;
}

void TypedPayloads::records(std::size_t ring, Bytes records) {
  out_.clear();
  walk_records({records, {}}, [&](const reader::RecordHeader& header, std::size_t offset) {
    const Bytes record = records.subspan(offset, header.size);
    if (header.type == reader::RecordType::sample) return append_typed(record);
    out_.insert(out_.end(), record.begin(), record.end());
  });
  to_.records(ring, out_);
}

// A record has at most 64 KiB: a layout is smaller, so that its payload with the fields in front fits.
void TypedPayloads::append_typed(Bytes record) {
  const auto raw = raw_of(attr_, record);
  if (!raw) return;  // the kernel writes no such sample
  const std::size_t wanted = padded(format_.layout().size);
  if (raw->size() < wanted) ++shorter_;
  if (raw->size() > wanted) ++longer_;
  raw_.clear();
  format_.append_raw(*raw, tid_in(attr_, record), raw_);
  raw_.resize(padded(raw_.size()));
  const auto length = static_cast<std::uint32_t>(raw_.size());
  const std::size_t begin = out_.size(), head = raw_at(attr_);
  const auto size = static_cast<std::uint16_t>(head + size_of_length + raw_.size());
  out_.resize(begin + size);
  std::memcpy(out_.data() + begin, record.data(), head);
  constexpr std::size_t place_of_size = 6;
  std::memcpy(out_.data() + begin + place_of_size, &size, sizeof size);
  std::memcpy(out_.data() + begin + head, &length, sizeof length);
  std::memcpy(out_.data() + begin + head + size_of_length, raw_.data(), raw_.size());
}

}  // namespace perfsift::record
