// HEADER_BUILD_ID records, and the entries of the BUILD_ID section, which are the same.
#pragma once

#include <vector>

#include "reader/features.h"

namespace perfsift::reader {

// Entries of a BUILD_ID section, as far as they can be read.
std::vector<BuildIdEntry> build_ids_in(Bytes section, ByteOrder order);

// In the layout of today, whatever that of the section was that it was read from.
std::vector<std::byte> build_id_record(const BuildIdEntry& entry, ByteOrder order);

}  // namespace perfsift::reader
