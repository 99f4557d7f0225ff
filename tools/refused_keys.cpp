#include "tools/refused_keys.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/edit_distance.h"
#include "base/error.h"
#include "base/printable.h"

namespace perfsift::tools {

void refuse_key(std::string_view name, std::span<const RefusedKeys> refused, std::span<const std::string_view> keys) {
  for (const RefusedKeys& some : refused) {
    if (std::ranges::count(some.names, name) != 0) throw UsageError(fmt::format("--sort {}: {}", name, some.reason));
  }
  const std::string_view near = nearest(name, keys);
  throw UsageError(
      printable(fmt::format("--sort {}: no such key{}; there are {}", name,
                            near.empty() ? "" : fmt::format(", did you mean {}?", near), fmt::join(keys, ", "))));
}

}  // namespace perfsift::tools
