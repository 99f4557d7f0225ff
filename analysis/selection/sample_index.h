// The samples of a SampleTable by thread and time. A query over a million samples takes milliseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/selection/leaf_table.h"
#include "analysis/table/sample_table.h"
#include "base/large_vector.h"

namespace perfsift::analysis {

// Immutable, so thread-safe. The table and the leaves must live longer.
class SampleIndex {
 public:
  struct Thread {
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    std::string comm;  // the name in its last sample
    // The thread's rows, in the order of their times. Samples without a time come last.
    std::uint32_t begin = 0;
    std::uint32_t timed_end = 0;
    std::uint32_t end = 0;
  };

  // The samples may be in any order. The index does not depend on the number of threads.
  SampleIndex(const SampleTable& table, const LeafTable& leaves, unsigned threads = 1);

  const LeafTable& leaves() const { return *leaves_; }
  // The threads in the order of process and thread numbers.
  const std::vector<Thread>& threads() const { return threads_; }
  // Ascending; -1 for samples whose CPU was not recorded.
  const std::vector<std::int32_t>& cpus() const { return cpus_; }
  // The paths of the control groups, in their order.
  const std::vector<std::string>& cgroups() const { return cgroups_; }
  // The times of the first and the last sample. 0 if no sample has a time.
  std::uint64_t first_time() const { return first_time_; }
  std::uint64_t last_time() const { return last_time_; }
  // The amount of all samples.
  const Amount& amount() const { return amount_; }
  // The common event, or the common value, of all samples. Nothing if they differ.
  std::optional<EventId> only_event() const { return only_event_; }
  std::optional<std::uint64_t> only_value() const { return only_value_; }

  // The samples by row.
  std::uint32_t size() const { return static_cast<std::uint32_t>(rows_.size()); }
  const SampleRow& operator[](std::uint32_t row) const { return samples_[rows_[row].sample]; }
  std::uint64_t time(std::uint32_t row) const { return rows_[row].time; }
  LeafId leaf(std::uint32_t row) const { return rows_[row].leaf; }

  // The control group of a sample or sum, by the number of its context: its index in cgroups() plus 1. 0: not recorded.
  std::uint32_t cgroup_of(std::uint32_t context) const { return cgroup_of_[context]; }

  // The samples with known sums only. They are in no row, and not in amount().
  std::span<const SumRow> sums() const { return sums_; }
  // The index of the sum's thread in threads(). The sum must have a context.
  std::uint32_t thread_of(const SumRow& sum) const { return thread_of_[sum.context]; }
  LeafId leaf(const SumRow& sum) const { return leaves_->of_stack(sum.stack); }

 private:
  // The values that are read for nearly every row are stored together, because neighbouring samples are far apart in
  // the table.
  struct Row {
    std::uint64_t time = 0;
    std::uint32_t sample = 0;  // index in the table
    LeafId leaf = 0;
  };
  class TimeSorter;
  struct Slots;
  void order_equal_times(std::span<Row> rows) const;
  void find_threads(const SampleTable& table);
  void find_cgroups(const SampleTable& table);
  void take_sums(const SampleTable& table);
  void fill_slots(Slots& slots, unsigned threads);
  void sort_slots(const Slots& slots, unsigned threads);

  const LeafTable* leaves_;
  std::span<const SampleRow> samples_;
  std::span<const SumRow> sums_;
  // By context.
  std::vector<std::uint32_t> thread_of_, cgroup_of_;
  UnsetVector<Row> rows_;
  std::vector<Thread> threads_;
  std::vector<std::int32_t> cpus_;
  std::vector<std::string> cgroups_;
  std::uint64_t first_time_ = 0, last_time_ = 0;
  Amount amount_;
  std::optional<EventId> only_event_;
  std::optional<std::uint64_t> only_value_;
};

}  // namespace perfsift::analysis
