// The samples of both sides by stack and replicate.
//
// A replicate is an independent part of a side: a whole run where a side has repeats, otherwise a time block. The
// variance between the replicates of a side is the noise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "analysis/gate/run.h"
#include "analysis/gate/stack_table.h"
#include "analysis/gate/verdict.h"

namespace perfsift::analysis {

// A number for each side.
template <typename T>
struct Both {
  T before{}, after{};

  template <typename U>
  Both& operator+=(const Both<U>& more) {
    before += static_cast<T>(more.before);
    after += static_cast<T>(more.after);
    return *this;
  }
};

// A number for each replicate: the replicates of the baseline, then those of the candidate.
using Series = std::vector<double>;

// What the noise of two sides can be estimated from.
Spread spread_of(const GateSide& before, const GateSide& after);

// Immutable. The sides and stacks must live longer.
class Replicates {
 public:
  struct Cell {
    std::uint32_t replicate = 0;
    double samples = 0;
  };

  Replicates(const GateStacks& stacks, const GateSide& before, const GateSide& after, Spread spread);

  const GateStacks& stacks() const { return stacks_; }
  Spread spread() const { return spread_; }
  Both<std::size_t> count() const { return count_; }
  std::size_t size() const { return count_.before + count_.after; }
  // The replicates are blocks of one run on each side, at the same parts of their times.
  bool paired() const { return paired_; }
  // The repeats of each side.
  Both<std::size_t> runs() const { return runs_; }

  std::span<const Cell> cells(std::uint32_t stack) const {
    return std::span(cells_).subspan(starts_[stack], starts_[stack + 1] - starts_[stack]);
  }
  const Both<std::uint64_t>& samples(std::uint32_t stack) const { return by_stack_[stack]; }
  const Both<std::uint64_t>& samples() const { return all_; }
  // The samples of all stacks for which `wanted` is true.
  Series series(const std::function<bool(std::uint32_t stack)>& wanted) const;
  // Adds the samples of a stack.
  void add(std::uint32_t stack, Series& series, double sign = 1) const {
    for (const Cell& cell : cells(stack)) series[cell.replicate] += sign * cell.samples;
  }
  Both<double> sums(const Series& series) const;

 private:
  const GateStacks& stacks_;
  Spread spread_;
  bool paired_ = false;
  Both<std::size_t> count_, runs_;
  std::vector<Cell> cells_;
  std::vector<std::size_t> starts_;
  std::vector<Both<std::uint64_t>> by_stack_;
  Both<std::uint64_t> all_;
};

}  // namespace perfsift::analysis
