// A line of /proc/PID/maps: proc(5), show_map_vma() in fs/proc/task_mmu.c.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace perfsift::record {

struct ProcMapping {
  std::uint64_t start = 0, end = 0;
  std::uint64_t offset = 0;      // of `start` in the file, in bytes
  std::uint32_t protection = 0;  // PROT_*
  std::uint32_t flags = 0;       // MAP_SHARED or MAP_PRIVATE
  std::uint32_t device_major = 0, device_minor = 0;
  std::uint64_t inode = 0;  // 0: no file
  std::string_view path;    // in the line, with the kernel's escapes; empty: memory without a file
};

// `line`: without its newline. Nothing for anything else.
std::optional<ProcMapping> parse_mapping(std::string_view line);

// The name as the kernel's own MMAP2 records have it (perf_event_mmap_event()): newlines are unescaped ("\012"), and
// memory without a file is "//anon", also if the process named it ("[anon:heap of the JIT]").
std::string recorded_name(std::string_view path);

}  // namespace perfsift::record
