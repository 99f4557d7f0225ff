// A set of rows of a SampleIndex.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "base/large_vector.h"

namespace perfsift::analysis {

class RowSet {
 public:
  explicit RowSet(std::uint32_t rows) : bits_((std::size_t{rows} + 63) / 64) {}
  // Adds a row. Thread-safe.
  void add(std::uint32_t row) {
    std::atomic_ref(bits_[row / 64]).fetch_or(std::uint64_t{1} << row % 64, std::memory_order_relaxed);
  }
  // Bit i of a word is row 64 * word + i.
  std::span<const std::uint64_t> words() const { return bits_; }

 private:
  LargeVector<std::uint64_t> bits_;
};

}  // namespace perfsift::analysis
