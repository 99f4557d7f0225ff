// A hash of a text that reveals nothing about the text without the key: SipHash.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/sip_hash.h"

namespace perfsift::analysis {

std::uint64_t keyed_hash(const HashKey& key, std::string_view text);

// A key from the contents of a file: equal contents give equal keys. Throws InputError when the file cannot be read or
// is too short to be a secret.
HashKey key_in_file(const std::string& path);

}  // namespace perfsift::analysis
