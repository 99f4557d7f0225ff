#include "reader/timeline/kernel_names.h"

#include <algorithm>
#include <array>

#include "base/path.h"

namespace perfsift::reader {
namespace {

constexpr std::string_view entry_trampoline = "__entry_SYSCALL_64_trampoline";

bool is_part_of_kernel(std::string_view name) {
  return name.starts_with("[kernel.") || name.starts_with("[kernel]") || name.starts_with("[guest.kernel.");
}

// Names in brackets that are neither the kernel nor a module.
bool is_user_image(std::string_view name) { return name.starts_with("[vdso") || name.starts_with("[vsyscall]"); }

// "ext4" of "ext4.ko.xz"; empty when the name does not end like a module's.
std::string_view module_stem(std::string_view file) {
  static constexpr std::array endings = {".ko", ".ko.gz", ".ko.xz", ".ko.zst", ".ko.bz2"};
  for (const std::string_view ending : endings)
    if (file.ends_with(ending)) return file.substr(0, file.size() - ending.size());
  return {};
}

}  // namespace

// Kinds as in machine__process_kernel_mmap_event(), except for sections and symbols: perf takes sections for modules,
// and ignores symbols.
KernelNameKind kernel_name_kind(std::string_view name) {
  if (name.starts_with(kernel_path.substr(0, kernel_path.size() - 1))) return KernelNameKind::kernel;
  if (is_part_of_kernel(name)) return KernelNameKind::section;
  if (name == entry_trampoline) return KernelNameKind::entry_trampoline;
  if (name.starts_with('/') || name.starts_with('[')) return KernelNameKind::module;
  return KernelNameKind::symbol;
}

std::string_view reference_symbol(std::string_view kernel_name) {
  return kernel_name.size() <= kernel_path.size() ? std::string_view{} : kernel_name.substr(kernel_path.size());
}

std::string module_name(std::string_view path) {
  const std::string_view file = base_name(path);
  if (file.starts_with('[')) return is_part_of_kernel(file) || is_user_image(file) ? std::string{} : std::string(file);
  const std::string_view stem = module_stem(file);
  if (stem.empty()) return {};
  std::string name(stem);
  std::ranges::replace(name, '-', '_');
  return '[' + name + ']';
}

}  // namespace perfsift::reader
