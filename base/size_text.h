// Sizes in perf's short form.
#pragma once

#include <cstdint>
#include <string>

namespace perfsift {

// "4K", "2M", "1024M": a larger unit is used if more than one of it remains
// (unit_number__scnprintf() in tools/perf/util/units.c).
std::string size_text(std::uint64_t bytes);

}  // namespace perfsift
