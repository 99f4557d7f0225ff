// Encoders of MMAP and MMAP2: see reader/records/mmap.h.
#pragma once

#include <cstddef>
#include <vector>

#include "reader/records/mmap.h"
#include "reader/writer/records/encoded_record.h"

namespace perfsift::reader {

// `mode`: kernel for mappings of the kernel and its modules, user for those of processes. Protection, flags, the file's
// identity and the build id have no place in MMAP and are dropped.
std::vector<std::byte> encode_mmap(const Mmap& mmap, CpuMode mode, const Encoding& encoding);

// A build id goes where the identity of the file would be. Without both, the identity is zeros.
std::vector<std::byte> encode_mmap2(const Mmap& mmap, CpuMode mode, const Encoding& encoding);

}  // namespace perfsift::reader
