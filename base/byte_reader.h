// Bounds-checked reading of untrusted bytes.
//
// A perf.data file may be truncated, corrupt or hostile. Only ByteReader deals with this: reading past the end gives
// zeros and makes ok() false for good, so a decoder reads its fields in order and checks once, at the end. ByteReader
// also swaps single numbers of a foreign byte order; bytes and strings are returned unchanged.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string_view>

#include "base/unaligned.h"

namespace perfsift {

using Bytes = std::span<const std::byte>;

inline bool starts_with(Bytes bytes, std::initializer_list<unsigned char> expected) {
  return bytes.size() >= expected.size() && std::equal(expected.begin(), expected.end(), bytes.begin(),
                                                       [](unsigned char a, std::byte b) { return std::byte{a} == b; });
}

// Whether numbers must be byte-swapped on this machine.
enum class ByteOrder : std::uint8_t { native, swapped };

inline std::uint8_t byte_swap(std::uint8_t v) { return v; }
inline std::uint16_t byte_swap(std::uint16_t v) { return __builtin_bswap16(v); }
inline std::uint32_t byte_swap(std::uint32_t v) { return __builtin_bswap32(v); }
inline std::uint64_t byte_swap(std::uint64_t v) { return __builtin_bswap64(v); }

// The text up to the first NUL, or the whole text without a NUL.
inline std::string_view c_string(Bytes bytes) {
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  return {text, bytes.empty() ? 0 : strnlen(text, bytes.size())};
}

// Not thread-safe; cheap to copy. Returned views live as long as the bytes given to the constructor.
class ByteReader {
 public:
  explicit ByteReader(Bytes bytes, ByteOrder order = ByteOrder::native)
      : at_(bytes.data()), end_(bytes.data() + bytes.size()), order_(order) {}

  std::uint8_t u8() { return number<std::uint8_t>(); }
  std::uint16_t u16() { return number<std::uint16_t>(); }
  std::uint32_t u32() { return number<std::uint32_t>(); }
  std::uint64_t u64() { return number<std::uint64_t>(); }
  std::int32_t i32() { return static_cast<std::int32_t>(u32()); }

  // The next `size` bytes. If there are fewer: empty, and ok() becomes false.
  Bytes bytes(std::uint64_t size) {
    if (size > remaining()) return fail(), Bytes{};
    const Bytes taken(at_, static_cast<std::size_t>(size));
    at_ += size;
    return taken;
  }

  // The next `count` values, in the byte order of the file: only for native files, or for one-byte T.
  template <typename T>
  std::span<const Unaligned<T>> array(std::uint64_t count) {
    if (count > remaining() / sizeof(T)) return fail(), std::span<const Unaligned<T>>{};
    const auto taken = bytes(count * sizeof(T));
    return {reinterpret_cast<const Unaligned<T>*>(taken.data()), static_cast<std::size_t>(count)};
  }

  // The string up to a NUL, which is skipped. Without a NUL: empty, and ok() becomes false.
  std::string_view cstring() {
    const auto text = c_string({at_, end_});
    skip(text.size() + std::uint64_t{1});
    return ok_ ? text : std::string_view{};
  }

  // The string up to a NUL, or up to the end of the bytes without one. Takes all remaining bytes.
  std::string_view rest_as_string() { return c_string(rest()); }

  Bytes rest() { return bytes(remaining()); }
  void skip(std::uint64_t size) { (void)bytes(size); }

  // Makes ok() false and drops the remaining bytes, after a decoder found an impossible value.
  void fail() {
    ok_ = false;
    at_ = end_;
  }

  std::size_t remaining() const { return static_cast<std::size_t>(end_ - at_); }
  ByteOrder order() const { return order_; }
  // False for good once a read went past the end, or fail() was called.
  bool ok() const { return ok_; }

 private:
  template <typename T>
  T number() {
    if (remaining() < sizeof(T)) return fail(), T{0};
    T value;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return order_ == ByteOrder::swapped ? byte_swap(value) : value;
  }

  const std::byte* at_;
  const std::byte* end_;
  ByteOrder order_;
  bool ok_ = true;
};

}  // namespace perfsift
