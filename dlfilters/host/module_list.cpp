#include "dlfilters/host/module_list.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/error.h"

namespace perfsift::dlfilter {
namespace {

namespace fs = std::filesystem;

std::optional<ListedModule> listed(const fs::path& path) {
  ListedModule found{.name = path.filename(), .description = {}, .problem = {}};
  try {
    const LoadedModule module(path);
    if (!module.entry_points().filters()) return std::nullopt;
    found.description = module.describe();
  } catch (const InputError& error) {
    found.problem = error.what();
  }
  return found;
}

}  // namespace

std::vector<ListedModule> list_modules(const std::string& folder) {
  std::vector<ListedModule> modules;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) {
    if (entry.path().extension() != ".so" || entry.is_directory(none)) continue;
    if (auto found = listed(entry.path())) modules.push_back(std::move(*found));
  }
  std::ranges::sort(modules, {}, &ListedModule::name);
  return modules;
}

}  // namespace perfsift::dlfilter
