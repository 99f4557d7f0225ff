// Whether a file is a stored profile, and when it was stored: what a folder of them is put in order by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/byte_reader.h"

namespace perfsift::analysis {

struct StoredFile {
  std::size_t runs = 0;
  // Of the latest run, in nanoseconds since 1970; nothing for a profile that perfsift check did not store.
  std::optional<std::uint64_t> stored_at;
};

// Of the uncompressed bytes of a file. Throws InputError, without the name of the input, for everything but a whole
// stored profile.
StoredFile stored_file(Bytes bytes);

}  // namespace perfsift::analysis
