// Feature sections from their decoded form: the twin of decode_feature() in reader/features/features.h. The layouts are
// those of the write_*() functions in tools/perf/util/header.c.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "reader/features/features.h"

namespace perfsift::reader {

// The section of one feature. Nothing if `features` does not have it: an empty text or list, a missing number, a mark
// that is not set. CPU_TOPOLOGY has the CPUs of NRCPUS: topology.cpus must have cpus_available elements, or none.
// Sections of marks (BRANCH_STACK, STAT) are empty.
std::optional<std::vector<std::byte>> encode_feature(Feature which, const Features& features, ByteOrder order);

// All features that `features` has, by number: what HeaderContent::features wants.
std::map<std::uint32_t, std::vector<std::byte>> encode_features(const Features& features, ByteOrder order);

}  // namespace perfsift::reader
