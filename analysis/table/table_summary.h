// A summary of the sample rows of a table. The summary is computed while the rows are in the processor's cache: another
// pass over a million samples takes some milliseconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "analysis/profile/amount.h"
#include "analysis/profile/time_span.h"
#include "analysis/table/sample_row.h"

namespace perfsift::analysis {

// Inserts a number into ascending numbers, if it is new.
void insert_cpu(std::vector<std::int32_t>& cpus, std::int32_t cpu);

class TableSummary {
 public:
  void add(const SampleRow& sample) {
    if (sample.context >= of_context_.size()) of_context_.resize(sample.context + std::size_t{1});
    ++of_context_[sample.context];
    times_.add(sample.time);
    if (sample.cpu != last_cpu_) last_cpu_ = sample.cpu, insert_cpu(cpus_, sample.cpu);
    if (amount_.samples == 0) event_ = sample.event, value_ = sample.value;
    one_event_ &= sample.event == event_;
    one_value_ &= sample.value == value_;
    amount_ += {.samples = 1, .value = sample.value};
  }
  void add(const TableSummary& other);

  const Amount& amount() const { return amount_; }
  const TimeSpan& times() const { return times_; }
  // Ascending; -1 for samples whose CPU was not recorded.
  const std::vector<std::int32_t>& cpus() const { return cpus_; }
  // The number of samples by context. Contexts beyond the end of the list have no samples.
  const std::vector<std::uint64_t>& of_context() const { return of_context_; }
  // The common event, or the common value, of all samples. Nothing if they differ or there are no samples.
  std::optional<EventId> only_event() const { return only(one_event_, event_); }
  std::optional<std::uint64_t> only_value() const { return only(one_value_, value_); }

 private:
  template <typename T>
  std::optional<T> only(bool same, T first) const {
    return same && amount_.samples != 0 ? std::optional(first) : std::nullopt;
  }

  std::vector<std::uint64_t> of_context_;
  TimeSpan times_;
  std::vector<std::int32_t> cpus_;
  std::int64_t last_cpu_ = std::numeric_limits<std::int64_t>::min();  // no CPU yet
  Amount amount_;
  EventId event_ = 0;
  std::uint64_t value_ = 0;
  bool one_event_ = true, one_value_ = true;
};

}  // namespace perfsift::analysis
