// How much functions spend themselves and in the functions they call.
//
// In a recursion a stack has a function several times. The outermost occurrence is the function; all others together
// are its recursion, a function of its own, as callgrind separates them (--separate-recs=2). So the cost of a function
// with its callees is the cost of the stacks that have the function, each counted once. In a recursion only the
// innermost occurrence calls others, and any that calls the outermost occurrence of a function: without that call the
// other function would cost nothing.
//
//   stack a;b;a;c 5    self: c 5    calls: root -> a, a -> b, b -> a'2, a'2 -> c, each 5
//   stack a;a;b;a 5    self: a'2 5  calls: root -> a, a -> a'2, a'2 -> b, b -> a'2, each 5
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "analysis/profile/call_tree.h"
#include "analysis/table/sample_groups.h"

namespace perfsift::output {

// Immutable once made. The tree must live longer.
class CallSums {
 public:
  using FunctionId = std::uint32_t;
  struct Function {
    std::string_view name;
    std::string_view binary;  // path
    std::string_view file;
    auto operator<=>(const Function&) const = default;
  };
  // A line of a function.
  struct Place {
    FunctionId function = 0;
    bool recursion = false;
    std::uint32_t line = 0;  // 0: not known
    auto operator<=>(const Place&) const = default;
  };
  struct Call {
    Place caller;
    Place callee;
    auto operator<=>(const Call&) const = default;
  };
  // Amounts by the event's place in the order of the export.
  using Amounts = std::vector<analysis::Amount>;

  CallSums(const analysis::CallTree& tree, const analysis::SampleGroups& groups,
           const std::vector<analysis::EventId>& events);

  // Numbered by their first use in the tree.
  const std::vector<Function>& functions() const { return functions_; }
  const std::map<Place, Amounts>& self() const { return self_; }
  const std::map<Call, Amounts>& calls() const { return calls_; }
  // The outermost functions of stacks.
  const std::map<Place, Amounts>& outermost() const { return outermost_; }
  // Amounts of stacks without frames, which belong to no function.
  const Amounts& frameless() const { return frameless_; }
  const Amounts& total() const { return total_; }

 private:
  void number_functions();
  void add(const analysis::SampleGroup& group, std::size_t event);
  void find_path(analysis::CallTree::Node node);

  const analysis::CallTree& tree_;
  const std::size_t events_;
  std::vector<Function> functions_;
  std::vector<FunctionId> of_frame_;                     // by frame
  std::vector<std::array<std::uint32_t, 2>> last_seen_;  // by function and recursion: the number of a group
  std::uint32_t group_ = 0;
  std::vector<Place> path_;  // of the group, outermost first
  std::map<Place, Amounts> self_;
  std::map<Call, Amounts> calls_;
  std::map<Place, Amounts> outermost_;
  Amounts frameless_, total_;
};

}  // namespace perfsift::output
