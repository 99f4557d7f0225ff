// PERF_RECORD_MMAP and PERF_RECORD_MMAP2: a mapping was made in an address space.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/binary.h"
#include "reader/format/record.h"

namespace perfsift::reader {

struct Mmap {
  std::int32_t pid = -1;  // -1: a mapping of the kernel
  std::int32_t tid = -1;
  std::uint64_t start = 0;
  std::uint64_t length = 0;
  std::uint64_t page_offset = 0;     // of `start` in the file; for the kernel: the address of its reference symbol
  std::uint32_t protection = 0;      // PROT_*; MMAP lacks this: PROT_EXEC, or PROT_NONE for data
  std::uint32_t flags = 0;           // MAP_*; 0 in MMAP
  std::optional<FileIdentity> file;  // MMAP2 without a build id
  BuildId build_id;                  // MMAP2 with a build id
  std::string_view path;             // in the record
  bool data = false;                 // no code: recorded by `perf record -d`
  bool incomplete = false;           // perf ran out of time while it read /proc/PID/maps
};

std::optional<Mmap> decode_mmap(const Record& record);
std::optional<Mmap> decode_mmap2(const Record& record);

}  // namespace perfsift::reader
