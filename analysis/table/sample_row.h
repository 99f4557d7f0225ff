// The rows of a SampleTable.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/profile/profile.h"
#include "filter/sample_facts.h"
#include "reader/format/record.h"

namespace perfsift::analysis {

// A row of one sample.
struct SampleRow {
  static constexpr std::uint32_t no_stack = ~std::uint32_t{0};

  std::uint64_t time = reader::no_time;  // nanoseconds; no_time: not recorded
  std::uint64_t value = 0;               // see Weight
  std::uint64_t position = 0;            // the position of its record in a recording: see reader::Moment
  std::uint32_t stack = no_stack;        // number in the profile; no_stack: no frames
  std::uint32_t context = 0;             // index into SampleTable::contexts()
  std::int32_t cpu = -1;                 // -1: not recorded
  std::uint32_t event : 24 = 0;          // EventId
  std::uint32_t mode : 8 = 0;            // reader::CpuMode
};

// A row for samples whose individual values are unknown or not needed: only their sum.
struct SumRow {
  static constexpr std::uint32_t no_run = ~std::uint32_t{0}, no_context = ~std::uint32_t{0};
  static constexpr EventId event_bits = (1u << 24) - 1;

  Amount amount;
  std::uint32_t stack = SampleRow::no_stack;
  std::uint32_t context = no_context;  // no_context: only the stack is known
  std::int32_t cpu = -1;
  std::uint32_t event : 24 = 0;
  std::uint32_t mode : 8 = 0;
  std::uint32_t run = no_run;  // the number of the run in a stored profile that separates its runs
  std::uint32_t block = 0;     // the part of the run's time
};

// A label of a pprof profile that has no meaning for perfsift: a text, or a number with its unit.
struct OtherLabel {
  std::string key, text;
  std::int64_t number = 0;
  std::string unit;
  auto operator<=>(const OtherLabel&) const = default;
};

// The thread of a row, and the additional columns of the table: see TableShape.
struct SampleContext {
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  std::string comm;    // at the time of the sample
  std::string cgroup;  // path; empty: not recorded
  // The order is that of TableShape::numbers. Empty where the input has no numbers.
  std::vector<std::optional<filter::Number>> numbers = {};
  std::vector<OtherLabel> labels = {};
  auto operator<=>(const SampleContext&) const = default;
};

}  // namespace perfsift::analysis
