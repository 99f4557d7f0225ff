#include "analysis/rewrite/keyed_hash.h"

#include "analysis/input/whole_file.h"
#include "base/error.h"

namespace perfsift::analysis {

std::uint64_t keyed_hash(const HashKey& key, std::string_view text) {
  SipHash hash(key, SipHash::Width::bits_64);
  hash.take_last(text);
  return hash.finish_64();
}

HashKey key_in_file(const std::string& path) {
  constexpr std::size_t least = 16;
  const std::string content = whole_file(path);
  if (content.size() < least) throw InputError(path + ": shorter than 16 bytes, too short for a key");
  return {keyed_hash({0, 0}, content), keyed_hash({0, 1}, content)};
}

}  // namespace perfsift::analysis
