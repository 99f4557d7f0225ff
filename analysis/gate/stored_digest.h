// The digest of a stored profile: its last comment, and the last bytes of its table of strings, are
//
//   perfsift-digest=89abcdef
//
// the CRC-32 of all bytes before these digits. Sums of samples do not tell that a name or a count was changed.
#pragma once

#include <span>
#include <string>

#include "base/byte_reader.h"

namespace perfsift::analysis {

// Of the uncompressed bytes of a profile of pprof with these comments. False if the digest is another one, or is
// missing; profiles without runs, and those of version 1.0, need none.
bool agrees_with_digest(Bytes bytes, std::span<const std::string> comments);

// For errors about files that do not agree.
inline constexpr const char* changed_text =
    "its digest is that of other bytes: the file was changed after it was stored";

}  // namespace perfsift::analysis
