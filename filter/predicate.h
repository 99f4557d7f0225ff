// What a checked expression is made of: questions about a sample that are answered with yes or no.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "filter/filter.h"

namespace perfsift::filter {

// What is asked about.
struct Evaluation {
  SampleFacts& sample;
  Facts& code;  // whose ip, sym, dso, … are meant: the sample, or a frame of its stack
  FilterState& state;
};

// For those who explain it.
struct PredicateInfo {
  std::string text;         // as it is written; of what is joined the operator
  std::string type;         // of what is compared; empty: nothing is
  std::string not_in_perf;  // why a dlfilter cannot answer it; empty: it can, but for its parts
};

// Immutable and safe to share between threads.
class Predicate {
 public:
  explicit Predicate(Cost cost) : cost_(cost) {}
  Predicate(const Predicate&) = delete;
  Predicate& operator=(const Predicate&) = delete;
  virtual ~Predicate() = default;

  virtual bool holds(Evaluation& about) const = 0;
  virtual std::vector<const Predicate*> parts() const { return {}; }
  // When it may hold, as far as it asks for the time: at no other time does it.
  virtual TimeRanges times(const FilterState& state) const;

  Cost cost() const { return cost_; }
  // Whether the answer depends on the samples asked about before, so that it matters when it is asked.
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
