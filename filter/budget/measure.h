// The table of measures that an assertion of a budget can name.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace perfsift::filter {

// The source of a measured value, which decides what stands in the parentheses behind its name.
enum class MeasureOf : std::uint8_t {
  function,  // self("f")
  samples,   // share(EXPR)
  waits,     // p99(offcpu, EXPR)
  quality,   // lost
  memory,    // remote_hitm("variable")
};

enum class Quantity : std::uint8_t {
  // of a function
  self,
  total,
  never,
  // of samples
  share,
  // of waits
  percentile,
  longest,
  mean,
  count,
  sum,
  // quality
  lost,
  truncated,
  unresolved,
  incomplete,
  throttled,
  samples,
  // of memory
  accesses,
  loads,
  stores,
  hitm,
  local_hitm,
  remote_hitm,
  peer,
  local_peer,
  remote_peer,
};

// The unit of a measured value, and so of its limit.
enum class BudgetUnit : std::uint8_t {
  percent,
  nanoseconds,
  count,
};

struct Measure {
  std::string_view name;  // "self"
  Quantity quantity;
  MeasureOf of;
  BudgetUnit unit;        // of memory also percent: the share of all accesses
  std::string_view form;  // "self(\"function\") < 2%"
  std::string_view help;  // one line
};

// All measures except percentile_measure.
std::span<const Measure> measures();
// The measure of p50, p99.9 and so on.
inline constexpr Measure percentile_measure{
    .name = "p99",
    .quantity = Quantity::percentile,
    .of = MeasureOf::waits,
    .unit = BudgetUnit::nanoseconds,
    .form = "p99.9(offcpu) < 100us",
    .help = "a percentile of the lengths of intervals off a CPU; p50 is the median"};
// nullptr: there is none of that name. A percentile's number is in `percentile`.
const Measure* find_measure(std::string_view name, double& percentile);

}  // namespace perfsift::filter
