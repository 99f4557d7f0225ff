// The meaning of the names in a kernel's MMAP records and in the build id table.
#pragma once

#include <string>
#include <string_view>

namespace perfsift::reader {

inline constexpr std::string_view kernel_path = "[kernel.kallsyms]";

enum class KernelNameKind {
  kernel,            // "[kernel.kallsyms]_text"
  section,           // "[kernel.vmlinux].init.text": a part of the kernel with a mapping of its own
  entry_trampoline,  // "__entry_SYSCALL_64_trampoline": x86, a second mapping of a part of the kernel's text
  module,            // "[ext4]", "/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko.xz"
  symbol,            // "bpf_prog_6deef7357e7b4530_sd_fw_egress"
};
KernelNameKind kernel_name_kind(std::string_view name);

// "_text" of "[kernel.kallsyms]_text": the symbol whose address is the page offset of the record.
std::string_view reference_symbol(std::string_view kernel_name);

// "[nf_tables]" for "/lib/modules/…/nf-tables.ko.xz" and for "[nf_tables]": kmod_path__parse() in
// tools/perf/util/dso.c. Empty for a name that is no module.
std::string module_name(std::string_view path);

}  // namespace perfsift::reader
