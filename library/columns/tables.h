// The tables of columns: distinct stacks, frames and names, in the order of their first rows. So the columns do not
// depend on the threads that collected them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/large_vector.h"
#include "library/columns/stacks.h"
#include "library/columns/state.h"
#include "reader/timeline/timeline.h"

namespace perfsift::v0::detail {

// Not thread-safe. All constructor arguments must live longer.
class Tables {
 public:
  Tables(const reader::Timeline& timeline, ColumnsState& state);

  // Replaces the numbers of merge_rows() in the columns `comm` and `stack`.
  void number_comms();
  void number_stacks(const Stacks& stacks);

 private:
  std::uint32_t comm(reader::NameId name, std::int32_t tid);
  std::uint32_t name(std::string_view text);

  const reader::Timeline& timeline_;
  ColumnsState& state_;
  std::unordered_map<std::string, std::uint32_t> names_;
  std::vector<std::uint32_t> names_of_threads_;  // by NameId
  std::unordered_map<std::int32_t, std::uint32_t> names_of_unnamed_;

  class StackNumbers;
};

}  // namespace perfsift::v0::detail
