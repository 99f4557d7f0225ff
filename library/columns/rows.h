// The rows of columns: each thread collects and sorts its own; then all threads merge them, each a range of times.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include <perfsift/columns.h>

#include "base/large_vector.h"
#include "base/stable_vector.h"
#include "library/columns/state.h"
#include "reader/recording.h"

namespace perfsift::v0::detail {

struct Row {
  std::uint64_t moment = 0;    // the time by which rows are sorted
  std::uint64_t position = 0;  // of the record: orders rows of one time
  std::uint64_t time = 0, weight = 0, period = 0, ip = 0, addr = 0, latency = 0;
  std::int32_t pid = -1, tid = -1, cpu = -1;
  std::uint32_t comm = 0;                   // reader::NameId
  std::uint32_t stack = Columns::no_stack;  // a number of the thread that collects the row
  std::uint32_t event : 24 = 0;
  std::uint32_t mode : 8 = 0;
};

Row row_of(const reader::Sample& sample, const reader::ThreadState& thread);

// The rows of one thread. Not thread-safe.
class Rows {
 public:
  void add(const Row& row) { rows_.push_back(row); }
  // To be called after the last add().
  void sort();
  // Replaces the numbers of stacks by those of stack_of(). To be called after the last add(), too.
  template <typename Stacks>
  void replace_stacks(const Stacks& stacks) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      std::uint32_t& stack = rows_[i].stack;
      if (stack != Columns::no_stack) stack = stacks.stack_of(stack);
    }
  }

  // The rows in order, after sort().
  std::size_t size() const { return order_.size(); }
  const Row& operator[](std::size_t i) const { return rows_[order_[i].index]; }
  void prefetch(std::size_t i) const;

  struct Place {
    std::uint64_t moment = 0, position = 0;
    auto operator<=>(const Place&) const = default;
  };
  Place place(std::size_t i) const { return {.moment = order_[i].moment, .position = (*this)[i].position}; }
  // Most times differ: then the row need not be read.
  bool is_before(std::size_t i, const Place& place) const {
    return order_[i].moment != place.moment ? order_[i].moment < place.moment : this->place(i) < place;
  }
  // The number of rows before a place.
  std::size_t before(const Place& place) const;

 private:
  struct Ordered {
    std::uint64_t moment = 0;
    std::uint64_t index = 0;  // in rows_
  };

  StableVector<Row> rows_;
  LargeVector<Ordered> order_;
};

// Fills the columns with the rows of several threads. What has other numbers in columns is left as it was collected,
// for the caller: `comm`, and `stack`, to which the first stack of the row's thread is added, unless it is no_stack.
void merge_rows(std::span<const Rows* const> threads, std::span<const std::uint32_t> first_stacks, unsigned workers,
                ColumnsState& state);

}  // namespace perfsift::v0::detail
