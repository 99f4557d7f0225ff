// Why a name is no key of --sort: keys that perf has and a command does not offer have a reason.
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

// Throws UsageError: with the reason if the name is one of the refused keys, else with the keys that there are.
[[noreturn]] void refuse_key(std::string_view name, std::span<const RefusedKeys> refused,
                             std::span<const std::string_view> keys);

}  // namespace perfsift::tools
