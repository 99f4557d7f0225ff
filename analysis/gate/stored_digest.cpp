#include "analysis/gate/stored_digest.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <zlib.h>

#include "analysis/gate/stored_runs.h"
#include "analysis/input/pprof_fields.h"

namespace perfsift::analysis {

bool agrees_with_digest(Bytes bytes, std::span<const std::string> comments) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::string_view before = text.substr(0, text.size() - std::min(text.size(), pprof::digest_digits));
  if (!before.ends_with(pprof::digest_comment)) return !has_digest(comments);
  const auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(before.data()), before.size());
  return text.substr(before.size()) == fmt::format("{:08x}", crc);
}

}  // namespace perfsift::analysis
