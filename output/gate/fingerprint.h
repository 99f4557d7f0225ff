// A number that stays the same for the same remark about the next build, so that services recognize the remark.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "output/gate/remark.h"

namespace perfsift::output {

// FNV-1a of the rule and the subject, as 16 digits.
inline std::string fingerprint(const Remark& remark) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    hash = (hash ^ 0xff) * 0x100000001b3;  // no text has this byte
  };
  add(remark_rules()[remark.rule].id);
  add(remark.subject);
  return fmt::format("{:016x}", hash);
}

}  // namespace perfsift::output
