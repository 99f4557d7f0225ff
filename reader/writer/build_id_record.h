// HEADER_BUILD_ID records, which are also the entries of the BUILD_ID section.
#pragma once

#include <vector>

#include "reader/features/features.h"

namespace perfsift::reader {

// The entries of a BUILD_ID section, as far as they can be read.
std::vector<BuildIdEntry> build_ids_in(Bytes section, ByteOrder order);

// The record has today's layout, independent of the layout of the section.
std::vector<std::byte> build_id_record(const BuildIdEntry& entry, ByteOrder order);

}  // namespace perfsift::reader
