// The samples of a profile as rows: what outputs are written from that need more than the sums of equal stacks.
//
//   samples()   stack  context  cpu  event  mode  |  value   time  position    one row for each sample
//   sums()      stack  context  cpu  event  mode  |  amount  run   block       one row for samples without a time
//                 |       |
//                 |       thread, control group, numbers, labels: contexts()
//                 the profile's frames
//
// All rows together are the amounts of the profile. What an input has as stacks only, such as folded text and losses,
// is in sums() without a context.
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

// Immutable: TableBuilder::seal() makes it.
class SampleTable {
 public:
  SampleTable() = default;  // without rows

  std::span<const SampleRow> samples() const { return samples_; }
  std::span<const SumRow> sums() const { return sums_; }
  // What samples() are together.
  const TableSummary& summary() const { return summary_; }

  const std::vector<SampleContext>& contexts() const { return contexts_; }
  // Nothing is known of SumRow::no_context.
  const SampleContext& context(std::uint32_t number) const {
    static const SampleContext unknown;
    return number != SumRow::no_context ? contexts_[number] : unknown;
  }
  // The columns of SampleContext::numbers.
  const std::vector<filter::Fact>& numbers() const { return numbers_; }
  // By pid; of processes with samples, where the input has them: the name of a process is that of its first thread at
  // the end of the input.
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
