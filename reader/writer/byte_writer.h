// Builds bytes of a recording, field by field, in the byte order of the recording.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/byte_reader.h"

namespace perfsift::reader {

// Not thread-safe.
class ByteWriter {
 public:
  explicit ByteWriter(ByteOrder order) : order_(order) {}

  ByteWriter& u8(std::uint8_t value) { return number(value); }
  ByteWriter& u16(std::uint16_t value) { return number(value); }
  ByteWriter& u32(std::uint32_t value) { return number(value); }
  ByteWriter& u64(std::uint64_t value) { return number(value); }
  ByteWriter& bytes(Bytes some);
  ByteWriter& text(std::string_view text) { return bytes(std::as_bytes(std::span(text))); }
  ByteWriter& zeros(std::size_t count);
  // A string and the NULs that fill the string up to a multiple of 8, at least one NUL: the kernel writes names so.
  ByteWriter& padded(std::string_view name) { return text(name).zeros(8 - name.size() % 8); }
  // NULs up to a multiple of 8 of all bytes.
  ByteWriter& align() { return zeros((8 - out_.size() % 8) % 8); }

  std::size_t size() const { return out_.size(); }
  Bytes view() const { return out_; }
  std::vector<std::byte> take() { return std::move(out_); }

 private:
  template <typename T>
  ByteWriter& number(T value) {
    if (order_ == ByteOrder::swapped) value = byte_swap(value);
    return bytes(std::as_bytes(std::span(&value, 1)));
  }

  std::vector<std::byte> out_;
  ByteOrder order_;
};

}  // namespace perfsift::reader
