#include "analysis/memory/unknown_values.h"

#include <algorithm>

namespace perfsift::analysis {

std::vector<UnknownValue> unknown_values(const DataSource& source) {
  std::vector<UnknownValue> values;
  const auto add = [&](bool unknown, std::string_view part, unsigned value) {
    if (unknown) values.push_back({.part = part, .value = value});
  };
  add(source.has_unknown_operation(), "mem_op", source.operation);
  add(source.has_unknown_level(), "mem_lvl_num", source.level_number);
  add(source.has_unknown_snoop(), "mem_snoopx", source.snoop_extended);
  add(source.has_unknown_hops(), "mem_hops", source.hops);
  add(source.region != 0, "mem_region", source.region);
  add(source.rest != 0, "mem_rsvd", static_cast<unsigned>(source.rest));
  return values;
}

void UnknownValues::add(const DataSource& source, std::uint64_t accesses) {
  for (const UnknownValue& value : unknown_values(source)) accesses_[value] += accesses;
}

void UnknownValues::add(const UnknownValues& other) {
  for (const auto& [value, accesses] : other.accesses_) accesses_[value] += accesses;
}

std::vector<UnknownValues::Row> UnknownValues::rows() const {
  std::vector<Row> rows;
  for (const auto& [value, accesses] : accesses_) rows.push_back({value, accesses});
  std::ranges::stable_sort(rows, std::ranges::greater(), &Row::accesses);
  return rows;
}

}  // namespace perfsift::analysis
