// The samples of a profile as rows, for outputs that need more than the sums of equal stacks.
//
//   samples()   stack  context  cpu  event  mode  |  value   time  position    one row for each sample
//   sums()      stack  context  cpu  event  mode  |  amount  run   block       one row for samples without a time
//                 |       |
//                 |       thread, control group, numbers, labels: contexts()
//                 the profile's frames
//
// The amounts of all rows add up to the amounts of the profile. Inputs without rows, such as folded text and losses,
// are in sums() without a context.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "analysis/table/sample_row.h"
#include "analysis/table/table_summary.h"
#include "base/large_vector.h"

namespace perfsift::analysis {

class TableBuilder;

// Immutable, so thread-safe. TableBuilder::seal() makes the table.
class SampleTable {
 public:
  SampleTable() = default;  // without rows

  std::span<const SampleRow> samples() const { return samples_; }
  std::span<const SumRow> sums() const { return sums_; }
  // The summary of samples().
  const TableSummary& summary() const { return summary_; }

  const std::vector<SampleContext>& contexts() const { return contexts_; }
  // The context by its number. SumRow::no_context gives a context without any values.
  const SampleContext& context(std::uint32_t number) const {
    static const SampleContext unknown;
    return number != SumRow::no_context ? contexts_[number] : unknown;
  }
  // The columns of SampleContext::numbers.
  const std::vector<filter::Fact>& numbers() const { return numbers_; }
  // Process names by pid, for processes with samples, where the input has names. The name is that of the process's
  // first thread at the end of the input.
  const std::map<std::int32_t, std::string>& process_names() const { return process_names_; }

 private:
  friend class TableBuilder;

  UnsetVector<SampleRow> samples_;
  UnsetVector<SumRow> sums_;
  TableSummary summary_;
  std::vector<SampleContext> contexts_;
  std::vector<filter::Fact> numbers_;
  std::map<std::int32_t, std::string> process_names_;
};

}  // namespace perfsift::analysis
