// A budget: assertions about recordings, one on each line of a text.
//
// ```text
// total("malloc") < 2%                        # share of samples with the function on their stack
// self("parse") < baseline + 10%              # at most a tenth more than on the side of the baseline
// never "page_fault" under "on_packet"
// p99.9(offcpu, comm == "rx-0") < 100us       # waits of a thread
// share(dso == "libssl.so.3") < 5%
// remote_hitm("OrderBook") == 0
// lost < 0.1%
// ```
//
// Expressions in parentheses are those of filters. perfsift-budget(7) describes the language.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "filter/budget/measure.h"
#include "filter/filter.h"
#include "filter/predicates.h"

namespace perfsift::filter {

// Which part of an interval off a CPU is measured.
enum class WaitPart : std::uint8_t { off_cpu, blocked, run_queue };

// A pattern for functions.
struct FunctionPattern {
  std::string text;  // as written
  // The filter `stack has (pattern)`. A function matches if a stack with only its frame is kept.
  Filter of_frame;
  bool asks_binary = false;  // dso
};

// The limit with which a measured value is compared.
struct Limit {
  std::string text;  // as written
  double value = 0;  // percent, nanoseconds or a count
  // The limit is the value of the baseline, times 1 + relative, plus `value`.
  bool of_baseline = false;
  double relative = 0;
};

struct Assertion {
  std::string text;      // as written, without comment
  std::size_t line = 0;  // from 1
  std::size_t column = 0;

  Quantity quantity = Quantity::self;
  MeasureOf of = MeasureOf::function;
  BudgetUnit unit = BudgetUnit::percent;
  double percentile = 0;
  WaitPart wait = WaitPart::off_cpu;

  FunctionPattern function;              // of functions
  std::optional<FunctionPattern> under;  // never … under …
  // The condition on samples, memory accesses or waits; keeps everything where none was written.
  Filter filter;
  std::string condition;  // the filter as written; empty: none

  Comparison comparison = Comparison::less;
  Limit limit;
};

struct Budget {
  std::string origin;  // the name of the file
  std::vector<Assertion> assertions;

  bool needs_baseline() const;
  bool needs(MeasureOf of) const;
  // An assertion is about the samples of one event. Waits, memory accesses and losses are those of all events.
  bool needs_event() const;
};

// Throws UsageError with all mistakes, each with file, line, column, the line and a caret; and for a text without any
// assertion.
Budget parse_budget(const FilterText& source);

}  // namespace perfsift::filter
