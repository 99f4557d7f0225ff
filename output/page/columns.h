// Numbers by the hundred thousand, in few bytes: columns of a page's data.
//
// The bytes of a column are stored in planes: first the lowest bytes of all its numbers, then the next ones. High
// bytes are mostly equal, so that gzip makes little of them. page_data.cpp describes the whole; web/columns.js reads.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/large_vector.h"
#include "output/json.h"

namespace perfsift::output {

class Columns {
 public:
  // `threads` share the work of long columns. The bytes do not depend on their number.
  explicit Columns(unsigned threads = 1) : threads_(threads) {}

  // All return the description of the column. Equal numbers are only in the description.
  Json add(std::span<const std::uint32_t> numbers);
  Json add(std::span<const std::uint64_t> numbers);
  // For numbers that differ little from the ones before: the differences are stored, modulo 2^32.
  Json add_differences(std::span<const std::uint32_t> numbers);

  std::string_view bytes() const { return {bytes_.data(), bytes_.size()}; }

 private:
  template <typename Number>
  Json add_column(std::span<const Number> numbers);

  const unsigned threads_;
  LargeVector<char> bytes_;
};

}  // namespace perfsift::output
