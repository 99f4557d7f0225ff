#include "tools/record/recorded_totals.h"

#include <fmt/format.h>

#include "base/size_text.h"

namespace perfsift::tools {

std::string trace_text(std::uint64_t bytes) {
  return bytes == 0 ? std::string() : fmt::format("{}B of AUX data, ", size_text(bytes));
}

}  // namespace perfsift::tools
