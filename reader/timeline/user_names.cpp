#include "reader/timeline/user_names.h"

#include <sys/mman.h>

namespace perfsift::reader {

BinaryKind user_name_kind(std::string_view name) {
  if (name == "[vdso]") return BinaryKind::vdso;
  if (name == "[vsyscall]") return BinaryKind::vsyscall;
  const bool anonymous = name == "//anon" || name == "[heap]" || name.starts_with("/dev/zero") ||
                         name.starts_with("/anon_hugepage") || name.starts_with("[stack") || name.starts_with("/SYSV");
  return anonymous ? BinaryKind::anonymous : BinaryKind::elf;
}

bool is_jit_dump(std::string_view name) {
  constexpr std::string_view before = "/jit-", after = ".dump";
  const std::size_t slash = name.rfind('/');
  if (slash == std::string_view::npos) return false;
  name.remove_prefix(slash);
  if (!name.starts_with(before) || !name.ends_with(after) || name.size() <= before.size() + after.size()) return false;
  const std::string_view pid = name.substr(before.size(), name.size() - before.size() - after.size());
  return pid.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_named_memory(std::string_view name) { return name.starts_with("/memfd:") || name.starts_with("[anon:"); }

bool is_memory_of_code(std::string_view name, std::uint32_t flags) {
  if (name.starts_with("[anon:")) return true;
  return (flags & MAP_SHARED) != 0 && (is_named_memory(name) || name.ends_with(" (deleted)"));
}

// arch/{alpha,mips,parisc,xtensa}/include/uapi/asm/mman.h; all others share asm-generic's number.
std::uint32_t hugetlb_flag(std::string_view architecture) {
  if (architecture == "alpha") return 0x100000;
  if (architecture.starts_with("mips") || architecture.starts_with("parisc") || architecture == "xtensa")
    return 0x80000;
  return 0x40000;
}

}  // namespace perfsift::reader
