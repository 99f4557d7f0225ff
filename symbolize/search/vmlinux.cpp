#include "symbolize/search/vmlinux.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "symbolize/elf/build_id.h"
#include "symbolize/elf/debug_sections.h"
#include "symbolize/search/debug_files.h"

namespace perfsift::symbolize {

namespace {

namespace fs = std::filesystem;

// Appends the entries of a folder whose names start with `beginning`, each followed by `rest`, in sorted order.
void append_entries(const std::string& folder, const std::string& beginning, const std::string& rest,
                    std::vector<std::string>& paths) {
  std::vector<std::string> found;
  std::error_code ignored;
  for (fs::directory_iterator at(folder, ignored), end; !ignored && at != end; at.increment(ignored))
    if (at->path().filename().string().starts_with(beginning)) found.push_back(at->path().string() + rest);
  std::ranges::sort(found);
  paths.insert(paths.end(), found.begin(), found.end());
}

// The places where distributions and the kernel's own Makefile put vmlinux: vmlinux_paths in perf's symbol.c, for any
// release.
std::vector<std::string> usual_places(const SymbolizeOptions& options) {
  std::vector<std::string> paths;
  append_entries(options.symfs + "/boot", "vmlinux", "", paths);
  append_entries(options.symfs + "/lib/modules", "", "/build/vmlinux", paths);
  for (const std::string& folder : options.debug_dirs) {
    append_entries(options.symfs + folder + "/boot", "vmlinux", "", paths);
    append_entries(options.symfs + folder + "/lib/modules", "", "/vmlinux", paths);
  }
  return paths;
}

}  // namespace

FoundVmlinux find_vmlinux(const BuildId& id, const SymbolizeOptions& options) {
  FoundVmlinux found;
  if (id.empty()) return found;
  std::vector<std::string> paths = paths_of_build_id(id, options);
  const std::vector<std::string> usual = usual_places(options);
  paths.insert(paths.end(), usual.begin(), usual.end());
  for (const std::string& path : paths) {
    Missing ignored;
    const auto file = ElfFile::open(path, ignored);
    if (!file || !same_build(id, file->build_id())) continue;
    if (!found.symbols && file->has_symtab()) found.symbols = file;
    if (!found.debug_info && has_debug_info(*file)) found.debug_info = file;
    if (found.symbols && found.debug_info) break;
  }
  return found;
}

Missing why_no_kernel(const Binary& binary) {
  return binary.kernel_known || !binary.build_id.empty() ? Missing::foreign_kernel : Missing::unknown_kernel;
}

}  // namespace perfsift::symbolize
