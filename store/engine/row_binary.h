// Rows in ClickHouse's format RowBinary: the values of a row one after the other, rows without anything between them.
//
//   UInt8 … UInt128, Bool, DateTime   little-endian, of 1 to 16 bytes
//   String, LowCardinality(String)    the length in LEB128, then the bytes
//   Array(T)                          the number of elements in LEB128, then the elements
//   Map(K, V)                         the number of pairs in LEB128, then keys and values in turn
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/sip_hash.h"

namespace perfsift::store {

class RowWriter {
 public:
  explicit RowWriter(std::string& to) : to_(to) {}

  void boolean(bool value) { to_ += value ? '\1' : '\0'; }
  void u32(std::uint32_t value) { number(value); }
  void u64(std::uint64_t value) { number(value); }
  void id(const Hash128& value) {
    number(value.low);
    number(value.high);
  }
  void count(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) to_ += static_cast<char>((value & 0x7f) | 0x80);
    to_ += static_cast<char>(value);
  }
  void text(std::string_view value) {
    count(value.size());
    to_ += value;
  }

 private:
  template <typename Number>
  void number(Number value) {
    char bytes[sizeof(Number)];
    for (std::size_t i = 0; i < sizeof(Number); ++i) bytes[i] = static_cast<char>(value >> 8 * i);
    to_.append(bytes, sizeof bytes);
  }

  std::string& to_;
};

// Reads the rows of an answer. Throws InputError where the bytes end within a row.
class RowReader {
 public:
  explicit RowReader(std::string_view rows) : rest_(rows) {}

  bool at_end() const { return rest_.empty(); }
  bool boolean() { return bytes(1).front() != '\0'; }
  std::uint32_t u32() { return number<std::uint32_t>(); }
  std::uint64_t u64() { return number<std::uint64_t>(); }
  Hash128 id() {
    const std::uint64_t low = u64();
    return {.low = low, .high = u64()};
  }
  std::uint64_t count() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes(1).front());
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
    fail();
  }
  // The number of elements that follow, each of at least one byte.
  std::size_t elements() {
    const std::uint64_t wanted = count();
    if (wanted > rest_.size()) fail();
    return static_cast<std::size_t>(wanted);
  }
  // Passes over an array.
  void skip_elements(std::size_t size_of_element) {
    const std::size_t wanted = elements();
    if (wanted > rest_.size() / size_of_element) fail();
    (void)bytes(wanted * size_of_element);
  }
  std::size_t remaining() const { return rest_.size(); }
  // Lives as long as the rows.
  std::string_view text() { return bytes(count()); }

 private:
  [[noreturn]] static void fail() { throw InputError("the answer of the store ends within a row"); }
  std::string_view bytes(std::uint64_t size) {
    if (size > rest_.size()) fail();
    const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(size));
    rest_.remove_prefix(taken.size());
    return taken;
  }
  template <typename Number>
  Number number() {
    Number value = 0;
    const std::string_view from = bytes(sizeof(Number));
    for (std::size_t i = 0; i < sizeof(Number); ++i) value |= Number{static_cast<unsigned char>(from[i])} << 8 * i;
    return value;
  }

  std::string_view rest_;
};

}  // namespace perfsift::store
