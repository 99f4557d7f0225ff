// All tables that rows are written to, those whose rows belong to loads, and how the rows of several loads become those
// of one.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "store/recording_rows.h"

namespace perfsift::store {

struct LoadTable {
  const TableColumns& table;
  std::string_view keys;                         // columns that rows must have in common to be added up: "fact, reason"
  std::span<const std::string_view> sums;        // columns that are added up
  bool has_time = false;                         // a column of keys, too, whose times become longer
  std::string_view smallest = {}, largest = {};  // columns whose smallest and largest values stay
};

inline constexpr std::array<std::string_view, 2> sums_of_samples = {"samples", "value"};
inline constexpr std::array<std::string_view, 4> sums_of_waits = {"intervals", "blocked", "run_queue", "unknown"};
inline constexpr std::array<std::string_view, 2> sums_of_accesses = {"accesses", "weight"};
inline constexpr std::array<std::string_view, 1> sums_of_quality = {"count"};
inline constexpr std::array load_tables = {
    LoadTable{.table = samples_table,
              .keys = "service, event, stack, thread, cgroup",
              .sums = sums_of_samples,
              .has_time = true},
    LoadTable{.table = waits_table,
              .keys = "service, stack, thread, cgroup, wait, state, cut, woken, blocked_bucket, run_queue_bucket",
              .sums = sums_of_waits,
              .has_time = true,
              .largest = "longest"},
    LoadTable{.table = accesses_table,
              .keys = "service, event, stack, thread, cgroup, operation, level, snoop, source, symbol, dso, variable, "
                      "dso_daddr, kind, node, has_address, mapped, latency_bucket",
              .sums = sums_of_accesses,
              .has_time = true},
    LoadTable{.table = events_table, .keys = "event, unit, count_type, value_type", .sums = {}, .smallest = "place"},
    LoadTable{.table = quality_table, .keys = "fact, reason, place", .sums = sums_of_quality},
};

// All tables that rows are written to.
inline constexpr std::array all_tables = {&functions_table, &stacks_table, &samples_table, &waits_table,
                                          &accesses_table,  &events_table, &quality_table, &recordings_table};

}  // namespace perfsift::store
