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
  std::optional<std::uint64_t> read(Bytes raw) const {
    if (offset_ > raw.size()) return std::nullopt;
    ByteReader in(raw.subspan(offset_), order_);
    const std::uint64_t value = size_ == 8 ? in.u64() : size_ == 4 ? in.u32() : (in.fail(), 0);
    if (!in.ok()) return std::nullopt;
    if (size_ == 4 && is_signed_) {
      return static_cast<std::uint64_t>(static_cast<std::int32_t>(static_cast<std::uint32_t>(value)));
    }
    return value;
  }

 private:
  std::size_t offset_ = 0;
  std::size_t size_ = 0;  // 0: there is no such field
  bool is_signed_ = false;
  ByteOrder order_ = ByteOrder::native;
};

}  // namespace perfsift::offcpu
