// A number in the raw data of a tracepoint, read where its format says it lies.
#pragma once

#include <cstdint>
#include <optional>

#include "base/byte_reader.h"
#include "reader/tracepoint.h"

namespace perfsift::offcpu {

// TracepointFormats::number() for those that are read a million times: of four or eight bytes.
class RawField {
 public:
  RawField() = default;
  RawField(const reader::TracepointField& field, ByteOrder order)
      : offset_(field.offset), size_(field.size), is_signed_(field.is_signed), order_(order) {}

  // Nothing where the raw data is too short, or the field is not such a number.
  // Inlined, as a std::optional of 16 bytes is returned through memory: its flag is written as one byte and read as
  // eight, for which the processor waits.
  [[gnu::always_inline]] std::optional<std::uint64_t> read(Bytes raw) const {
    if (offset_ > raw.size() || size_ > raw.size() - offset_) return std::nullopt;
    ByteReader in(raw.subspan(offset_), order_);
    if (size_ == 8) return in.u64();
    if (size_ != 4) return std::nullopt;
    return is_signed_ ? static_cast<std::uint64_t>(in.i32()) : in.u32();
  }

 private:
  std::size_t offset_ = 0;
  std::size_t size_ = 0;  // 0: there is no such field
  bool is_signed_ = false;
  ByteOrder order_ = ByteOrder::native;
};

}  // namespace perfsift::offcpu
