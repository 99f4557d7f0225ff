// The rows of a report: the amounts of samples by function, thread, CPU, or any other sort key.
//
// Each row has the amount of the samples that ended in it (self), and of all samples with it anywhere in their stack
// (total). A sample counts once in a total, even if recursion repeats the row in its stack. The self amounts of all
// rows add up to the amount of the event.
//
//   keys: symbol     a;b;b 5      row   self  total
//                    a     2      b        5      5
//                                 a        2      7
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/profile/amount.h"
#include "analysis/profile/common_names.h"
#include "analysis/profile/profile.h"
#include "analysis/report/tuple_numbers.h"
#include "analysis/samples/stack_options.h"
#include "analysis/table/key.h"
#include "analysis/table/sample_table.h"
#include "base/text_numbers.h"

namespace perfsift::analysis {

// The amount by which a table is sorted.
enum class RowOrder : std::uint8_t { self, total };

struct ReportShape {
  Keys keys;
  RowOrder order = RowOrder::self;
  std::uint64_t time_quantum = 100'000'000;  // nanoseconds, for Key::time
  FunctionNames names = FunctionNames::recorded;
  bool interrupts_apart = false;  // stacks have InterruptFrames: rows are separated by thread and process, too
};

struct ReportRow {
  std::vector<std::string_view> cells;  // one for each key; live as long as the report
  Amount self, total;
  bool inlined = false;  // a function whose calls are inlined in all its samples
};

// The samples of one event.
struct ReportTable {
  EventId event = 0;
  std::string_view event_name;
  std::string_view unit;  // the unit of values; empty: not known, or a number of events
  Amount all;
  std::vector<ReportRow> rows;  // sorted by amount; equal amounts by their cells
  // Whether all totals equal the self amounts: no function called another, or no key is a key of functions.
  bool totals_are_selves() const;
};

// The share of an amount in percent, by the values of samples.
double percent_of(const Amount& part, const Amount& all);

class Report {
 public:
  // The text of an unknown cell, and of the function of a sample without a stack.
  static constexpr std::string_view unknown = "[unknown]", no_stack = no_stack_frame;

  // `table`: the table of the profile, with the numbers of the keys. It is needed if a key needs_table(), and nullptr
  // otherwise. The results do not depend on the order of stacks and samples.
  Report(const Profile& profile, const SampleTable* table, const ReportShape& shape);

  // One table for each event with samples, in the order of the events' names.
  const std::vector<ReportTable>& tables() const { return tables_; }

 private:
  class Builder;

  TextNumbers texts_;
  std::vector<ReportTable> tables_;
};

}  // namespace perfsift::analysis
