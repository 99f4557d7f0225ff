// Keys of --sort that perf has and a command does not offer, with the reason.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfsift::tools {

struct RefusedKeys {
  std::string_view reason;
  std::vector<std::string_view> names;
};

// Throws UsageError with the reason if the name is one of the refused keys.
void check_not_refused(const std::string& name, std::span<const RefusedKeys> refused);

}  // namespace perfsift::tools
