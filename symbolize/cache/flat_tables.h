// Arrays of plain values as bytes that need not be parsed: each with its length in front, all of them at multiples of
// eight. A table says once which arrays it has, in visit_arrays(); a FlatWriter and a FlatReader visit the same ones.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "base/byte_reader.h"
#include "symbolize/cache/flat_array.h"

namespace perfsift::symbolize {

template <typename T>
concept FlatValue = std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T> && alignof(T) <= 8;

class FlatWriter {
 public:
  template <FlatValue T>
  void operator()(const FlatArray<T>& array) {
    write(array.all());
  }
  template <FlatValue T>
  void write(std::span<const T> values) {
    const std::uint64_t count = values.size();
    append(&count, sizeof count);
    append(values.data(), values.size_bytes());
    bytes_.resize((bytes_.size() + 7) / 8 * 8);
  }
  template <FlatValue T>
  void write_one(const T& value) {
    write(std::span<const T>(&value, 1));
  }
  Bytes bytes() const { return bytes_; }

 private:
  void append(const void* from, std::size_t size) {
    if (size == 0) return;
    const auto* first = static_cast<const std::byte*>(from);
    bytes_.insert(bytes_.end(), first, first + size);
  }

  std::vector<std::byte> bytes_;
};

// Results lie in `bytes`. After an array that does not fit, ok() stays false, and all arrays are empty.
class FlatReader {
 public:
  explicit FlatReader(Bytes bytes) : in_(bytes) {
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % 8 != 0) in_.fail();
  }
  template <FlatValue T>
  void operator()(FlatArray<T>& array) {
    array = FlatArray<T>::elsewhere(read<T>());
  }
  template <FlatValue T>
  std::span<const T> read() {
    const std::uint64_t count = in_.u64();
    if (count > in_.remaining() / sizeof(T)) return in_.fail(), std::span<const T>();
    const Bytes values = in_.bytes(count * sizeof(T));
    in_.skip((8 - values.size() % 8) % 8);
    if (!in_.ok()) return {};
    return {reinterpret_cast<const T*>(values.data()), static_cast<std::size_t>(count)};
  }
  template <FlatValue T>
  T read_one() {
    const std::span<const T> one = read<T>();
    if (one.size() == 1) return one.front();
    in_.fail();
    return T{};
  }
  // Whether all arrays were there, and no bytes are left.
  bool done() const { return in_.ok() && in_.remaining() == 0; }

 private:
  ByteReader in_;
};

}  // namespace perfsift::symbolize
