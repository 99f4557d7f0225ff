// Parts of data sources with values that the kernel's header does not define, or that have no text here. A newer kernel
// or processor wrote these values.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "base/data_source.h"

namespace perfsift::analysis {

struct UnknownValue {
  std::string_view part;  // the kernel's name, "mem_hops"
  unsigned value = 0;
  auto operator<=>(const UnknownValue&) const = default;
};

// The unknown parts of one data source.
std::vector<UnknownValue> unknown_values(const DataSource& source);

// The number of accesses by unknown value. The widths of the parts limit the number of different values.
class UnknownValues {
 public:
  struct Row {
    UnknownValue value;
    std::uint64_t accesses = 0;
  };

  void add(const DataSource& source, std::uint64_t accesses);
  void add(const UnknownValues& other);
  // The rows, with the most frequent first.
  std::vector<Row> rows() const;

 private:
  std::map<UnknownValue, std::uint64_t> accesses_;
};

}  // namespace perfsift::analysis
