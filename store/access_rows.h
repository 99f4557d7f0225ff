// The memory accesses of a recording as rows of a store's table.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "analysis/memory/summed_accesses.h"
#include "store/recording_rows.h"
#include "store/stack_rows.h"

namespace perfsift::store {

// Writes the accesses to to.accesses, and their stacks.
void write_accesses(const analysis::SummedAccesses& accesses, std::string_view service, std::uint64_t load,
                    StackRows& stacks, RecordingRows& to);

// The words of the column node, by NodeMatch.
inline constexpr std::array<std::string_view, 3> words_of_nodes = {"", "own", "other"};
// The text of mem for a control group that is not known, which has no name in the table.
inline constexpr std::string_view unknown_cgroup = "[unknown]";

}  // namespace perfsift::store
