// Records of the kernel's own code: the kernel and its modules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reader/writer/records/encoded_record.h"
#include "record/machine/kernel_files.h"

namespace perfsift::record {

// Where the kernel runs. The start is the reference symbol, by which readers find out how far the kernel was shifted
// (KASLR).
struct KernelText {
  std::string symbol;  // "_text", or "_stext"
  std::uint64_t start = 0;
  std::uint64_t length = 0;
};

// Reads /proc/kallsyms up to the reference symbol, and the length from /proc/iomem ("Kernel code"): all of kallsyms
// takes 100 ms and more. If iomem does not say the length, kallsyms is read up to _etext. Nothing if the kernel hides
// its addresses (kptr_restrict).
std::optional<KernelText> kernel_text(const std::string& proc);

struct KernelModule {
  std::string name;
  std::uint64_t start = 0, size = 0;
};

// /proc/modules, by address. Nothing for modules whose addresses are hidden.
std::vector<KernelModule> kernel_modules(const std::string& proc);

// MMAP2 with build ids, or MMAP without: what perf writes in __perf_event__synthesize_kernel_mmap() and
// perf_event__synthesize_modules(). A module has the path of its file in `modules_folder` (for example
// /lib/modules/6.1.0), or its name in brackets.
std::vector<std::byte> kernel_records(const KernelRoots& roots, const std::string& modules_folder, bool build_ids,
                                      const reader::Encoding& encoding);

}  // namespace perfsift::record
