// Numbers by the hundred thousand, in few bytes: columns of a page's data.
//
// The bytes of a column are stored in planes: first the lowest bytes of all its numbers, then the next ones. High
// bytes are mostly equal, so that gzip makes little of them. page_data.cpp describes the whole; web/columns.js reads.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "output/json.h"

namespace perfsift::output {

class Columns {
 public:
  // Both return the description of the column. Equal numbers are only in the description.
  Json add(std::span<const std::uint64_t> numbers);
  // For numbers below 2^32 that differ little from the ones before: the differences are stored, modulo 2^32.
  Json add_differences(std::span<const std::uint64_t> numbers);

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace perfsift::output
