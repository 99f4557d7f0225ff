// Sets of whole numbers: the CPUs, threads or modes whose samples an expression may keep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "filter/predicates.h"

namespace perfsift::record {

// Numbers from -2^63 to 2^63-1; a set with a number above 2^63-1 has 2^63-1 instead. Immutable.
class ValueSet {
 public:
  static ValueSet all();
  static ValueSet none() { return {}; }
  static ValueSet of(std::span<const filter::Interval> intervals);  // without shares
  static ValueSet of(std::span<const unsigned> numbers);
  // The numbers of the bits that are set.
  static ValueSet of_bits(std::uint64_t bits);

  ValueSet in_both(const ValueSet& other) const;
  ValueSet in_any(const ValueSet& other) const;
  ValueSet others() const;

  bool empty() const { return ranges_.empty(); }
  bool has(std::int64_t number) const;
  // The numbers, ascending; nothing if there are more than `most`.
  std::optional<std::vector<std::int64_t>> numbers(std::size_t most) const;
  // The least and the greatest number; nothing of an empty set.
  std::optional<std::pair<std::int64_t, std::int64_t>> bounds() const;
  // Whether numbers between the bounds are not in the set.
  bool has_gaps() const { return ranges_.size() > 1; }
  // The numbers of `some` that are in the set, in their order.
  std::vector<unsigned> among(std::span<const unsigned> some) const;

 private:
  // Sets of times are sets of numbers without a sign: a number is stored with its highest bit inverted, which keeps
  // the order.
  filter::TimeRanges ranges_;
};

}  // namespace perfsift::record
