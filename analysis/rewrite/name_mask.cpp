#include "analysis/rewrite/name_mask.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace perfsift::analysis {
namespace {

// Whether `path` is a name of the kernel or perf for memory without a file (is_anon_memory() and is_no_dso_memory() in
// tools/perf/util/map.c; arch_vma_name() in the kernel).
bool is_kernels_name(std::string_view path) {
  constexpr std::array<std::string_view, 4> beginnings = {"//anon", "/dev/zero", "/anon_hugepage", "/SYSV"};
  const bool bracketed = path.starts_with('[') && !path.starts_with("[anon:");
  return bracketed ||
         std::ranges::any_of(beginnings, [&](std::string_view beginning) { return path.starts_with(beginning); });
}

}  // namespace

std::string NameMask::name(std::string_view name) const {
  if (name.empty()) return {};
  constexpr std::uint64_t twelve_digits = (std::uint64_t{1} << 48) - 1;
  return fmt::format("{:012x}", keyed_hash(key_, name) & twelve_digits);
}

std::string NameMask::path(std::string_view path) const {
  if (is_kernels_name(path)) return std::string(path);
  constexpr std::string_view deleted = " (deleted)";
  const bool was_deleted = path.ends_with(deleted);
  if (was_deleted) path.remove_suffix(deleted.size());

  std::string masked;
  while (true) {
    const std::size_t slash = path.find('/');
    masked += name(path.substr(0, slash));
    if (slash == std::string_view::npos) break;
    masked += '/';
    path.remove_prefix(slash + 1);
  }
  return was_deleted ? masked.append(deleted) : masked;
}

BuildId NameMask::build_id(const BuildId& id) const {
  BuildId masked = id;
  const std::string hex = id.hex();
  for (std::size_t i = 0; i < id.size; ++i) {
    masked.bytes[i] = static_cast<std::byte>(keyed_hash(key_, fmt::format("{} {}", i, hex)));
  }
  return masked;
}

}  // namespace perfsift::analysis
