// SipHash-2-4 (Aumasson, Bernstein, 2012): a hash that reveals nothing about the hashed text without the key.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace perfsift::analysis {

using HashKey = std::array<std::uint64_t, 2>;

std::uint64_t keyed_hash(const HashKey& key, std::string_view text);

// A key from the contents of a file: equal contents give equal keys. Throws InputError when the file cannot be read or
// is too short to be a secret.
HashKey key_in_file(const std::string& path);

}  // namespace perfsift::analysis
