// Messages about names of events that are wrong: the part, its place, and the nearest names that exist.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "record/events/event_grammar.h"

namespace perfsift::record {

// At most `count` of the names, nearest first: names a few edits away, then names that contain the wrong one.
std::vector<std::string> nearest_names(std::string_view wrong, const std::vector<std::string>& names,
                                       std::size_t count = 3);

// Throws UsageError: "event 'cpu/umsk=1/', character 5: 'umsk' is no term of PMU cpu; nearest: umask, cmask".
// `names`: what exists.
[[noreturn]] void refuse_event(std::string_view text, const Word& wrong, std::string_view problem,
                               const std::vector<std::string>& names = {});

}  // namespace perfsift::record
