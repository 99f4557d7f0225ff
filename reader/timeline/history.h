// A value that changes over time: a list of changes, each valid until the next.
#pragma once

#include <algorithm>
#include <vector>

#include "reader/format/record.h"

namespace perfsift::reader {

// The period [from, until) during which an answer stays the same.
struct Period {
  Moment from;
  Moment until = end_of_time;

  Period operator&(const Period& other) const { return {std::max(from, other.from), std::min(until, other.until)}; }
};

// Changes are added in ascending order of their moments. A change that was announced for later is dropped when another
// change comes before it.
template <typename T>
class History {
 public:
  struct Answer {
    const T* value = nullptr;  // nullptr before the first change
    Period period;
  };

  void set(Moment from, T value) {
    while (!changes_.empty() && changes_.back().from > from) changes_.pop_back();
    if (!changes_.empty() && changes_.back().from == from)
      changes_.back().value = std::move(value);
    else
      changes_.push_back({from, std::move(value)});
  }

  bool empty() const { return changes_.empty(); }
  const T& first() const { return changes_.front().value; }
  const T& latest() const { return changes_.back().value; }

  Answer at(Moment moment) const {
    const auto next = std::ranges::upper_bound(changes_, moment, {}, &Change::from);
    const Moment until = next == changes_.end() ? end_of_time : next->from;
    if (next == changes_.begin()) return {nullptr, {{}, until}};
    const Change& current = *std::prev(next);
    return {&current.value, {current.from, until}};
  }

 private:
  struct Change {
    Moment from;
    T value;
  };
  std::vector<Change> changes_;
};

}  // namespace perfsift::reader
