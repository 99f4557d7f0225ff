#include "symbolize/unwind/rule_table.h"

#include <algorithm>
#include <iterator>

namespace perfsift::symbolize {

const FrameRule* RuleTable::find(std::uint32_t address) const {
  const auto after = std::ranges::upper_bound(rows, address, {}, &Row::start);
  if (after == rows.begin()) return nullptr;
  const std::uint32_t rule = std::prev(after)->rule;
  return rule == no_rule ? nullptr : &rules[rule];
}

}  // namespace perfsift::symbolize
