// Derives the kind of code in a DSO from its name, for inputs that do not record the kind.
#pragma once

#include <string_view>

#include "base/path.h"

namespace perfsift::analysis {

// The names of DSOs mark kernel frames: [kernel.kallsyms], [ext4], a module's file, vmlinux. Only few DSOs in brackets
// are not of the kernel.
inline bool is_kernel_dso(std::string_view dso) {
  const std::string_view base = base_name(dso);
  const bool module = base.find(".ko") != std::string_view::npos;
  const bool user = dso == "[vdso]" || dso == "[vsyscall]" || dso == "[unknown]" || dso == "[heap]" ||
                    dso.starts_with("[stack") || dso.starts_with("[anon");
  return (dso.starts_with('[') && !user) || base.starts_with("vmlinux") || module;
}

}  // namespace perfsift::analysis
