#include "analysis/table/table_summary.h"

#include <algorithm>

namespace perfsift::analysis {

void TableSummary::add(const TableSummary& other) {
  if (other.amount_.samples == 0) return;
  if (of_context_.size() < other.of_context_.size()) of_context_.resize(other.of_context_.size());
  for (std::size_t i = 0; i < other.of_context_.size(); ++i) of_context_[i] += other.of_context_[i];
  times_.add(other.times_);
  for (const std::int32_t cpu : other.cpus_) insert_cpu(cpus_, cpu);
  if (amount_.samples == 0) event_ = other.event_, value_ = other.value_;
  one_event_ &= other.one_event_ && event_ == other.event_;
  one_value_ &= other.one_value_ && value_ == other.value_;
  amount_ += other.amount_;
}

void insert_cpu(std::vector<std::int32_t>& cpus, std::int32_t cpu) {
  const auto place = std::ranges::lower_bound(cpus, cpu);
  if (place == cpus.end() || *place != cpu) cpus.insert(place, cpu);
}

}  // namespace perfsift::analysis
