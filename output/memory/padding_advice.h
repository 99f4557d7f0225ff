// Advice about a cache line that threads share, in sentences.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/comparison/change.h"
#include "analysis/memory/cache_lines.h"

namespace perfsift::output {

// Whether debug information names the part of the variable.
bool has_part(const analysis::LineOffset& offset);
// The percentage of the line's disturbed accesses that is false sharing.
analysis::ShareInterval false_share_of(const analysis::CacheLine& line);
// The reason for the line's kind of sharing.
std::string reason_of(const analysis::CacheLine& line);
// Advice on which data to move to lines of their own. Empty for lines without false sharing.
std::vector<std::string> padding_advice(const analysis::CacheLine& line, std::uint64_t line_size);

}  // namespace perfsift::output
