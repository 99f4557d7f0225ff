#include "tools/refused_keys.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"

namespace perfsift::tools {

void check_not_refused(const std::string& name, std::span<const RefusedKeys> refused) {
  for (const RefusedKeys& keys : refused) {
    if (std::ranges::count(keys.names, name) != 0) throw UsageError(fmt::format("--sort {}: {}", name, keys.reason));
  }
}

}  // namespace perfsift::tools
