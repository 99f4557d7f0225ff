// Parts of data sources with values that the kernel's header does not define, or that have no words here: a newer
// kernel or processor wrote them.
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

// How many accesses had which values. The number of different values is bounded by the widths of the parts.
class UnknownValues {
 public:
  struct Row {
    UnknownValue value;
    std::uint64_t accesses = 0;
  };

  void add(const DataSource& source, std::uint64_t accesses);
  void add(const UnknownValues& other);
  // The most frequent first.
  std::vector<Row> rows() const;

 private:
  std::map<UnknownValue, std::uint64_t> accesses_;
};

}  // namespace perfsift::analysis
