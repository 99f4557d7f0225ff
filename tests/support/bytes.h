// Builds byte strings in the layout of a perf.data file, field by field, in either byte order.
//
// ```cpp
// const auto payload = BytesBuilder().u32(pid).u32(tid).padded("name").take();
// ```
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/byte_reader.h"

namespace perfsift::test {

class BytesBuilder {
 public:
  explicit BytesBuilder(ByteOrder order = ByteOrder::native) : order_(order) {}

  BytesBuilder& u8(std::uint8_t v) { return number(v); }
  BytesBuilder& u16(std::uint16_t v) { return number(v); }
  BytesBuilder& u32(std::uint32_t v) { return number(v); }
  BytesBuilder& u64(std::uint64_t v) { return number(v); }
  BytesBuilder& text(std::string_view s) { return append(s.data(), s.size()); }
  BytesBuilder& bytes(Bytes b) { return append(b.data(), b.size()); }
  BytesBuilder& zeros(std::size_t count) { return out_.resize(out_.size() + count), *this; }
  // A NUL-terminated string, padded with NULs so that its length is a multiple of 8, as the kernel writes names.
  BytesBuilder& padded(std::string_view s) { return text(s).zeros(8 - s.size() % 8); }
  // A string in a feature of the header: its padded length, and the padded string.
  BytesBuilder& header_string(std::string_view s) {
    return u32(static_cast<std::uint32_t>(s.size() + 8 - s.size() % 8)).padded(s);
  }
  // A whole record: {type, misc, size} and the payload.
  BytesBuilder& record(std::uint32_t type, std::uint16_t misc, Bytes payload) {
    return u32(type).u16(misc).u16(static_cast<std::uint16_t>(payload.size() + 8)).bytes(payload);
  }

  std::size_t size() const { return out_.size(); }
  Bytes view() const { return out_; }
  std::vector<std::byte> take() { return std::move(out_); }

 private:
  template <typename T>
  BytesBuilder& number(T v) {
    if (order_ == ByteOrder::swapped) v = byte_swap(v);
    return append(&v, sizeof v);
  }
  BytesBuilder& append(const void* data, std::size_t size) {
    const std::size_t at = out_.size();
    out_.resize(at + size);
    if (size != 0) std::memcpy(out_.data() + at, data, size);
    return *this;
  }

  std::vector<std::byte> out_;
  ByteOrder order_;
};

}  // namespace perfsift::test
