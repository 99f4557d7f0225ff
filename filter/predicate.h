// The parts of a checked expression: each is true or false for a sample.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "filter/filter.h"

namespace perfsift::filter {

// The sample that a predicate is evaluated for.
struct Evaluation {
  SampleFacts& sample;
  Facts& code;  // whose ip, sym, dso, … are meant: the sample, or a frame of its stack
  FilterState& state;
};

// Facts for explanations.
struct PredicateInfo {
  std::string text;         // as it is written; of what is joined the operator
  std::string type;         // of what is compared; empty: nothing is
  std::string not_in_perf;  // why a dlfilter cannot answer it; empty: it can, but for its parts
};

// Immutable, so thread-safe.
class Predicate {
 public:
  explicit Predicate(Cost cost) : cost_(cost) {}
  Predicate(const Predicate&) = delete;
  Predicate& operator=(const Predicate&) = delete;
  virtual ~Predicate() = default;

  virtual bool holds(Evaluation& about) const = 0;
  virtual std::vector<const Predicate*> parts() const { return {}; }
  // The times at which the predicate may be true. At other times it is false.
  virtual TimeRanges times(const FilterState& state) const;
  // The facts that the predicate itself asks for, bits by Fact; its parts have their own.
  virtual std::uint64_t facts() const { return 0; }

  Cost cost() const { return cost_; }
  // Whether the answer depends on earlier samples, so that the order of evaluation matters.
  bool counts() const { return counts_; }
  const PredicateInfo& info() const { return info_; }
  void set_info(PredicateInfo info) { info_ = std::move(info); }

 protected:
  void set_counts(bool counts) { counts_ = counts; }

 private:
  const Cost cost_;
  bool counts_ = false;
  PredicateInfo info_;
};

using PredicatePtr = std::unique_ptr<Predicate>;

}  // namespace perfsift::filter
