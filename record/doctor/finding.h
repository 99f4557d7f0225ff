// What `perfsift doctor` finds out about a machine: one line each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace perfsift::record {

enum class Health : std::uint8_t {
  ok,       // works
  limited,  // works in part
  no,       // does not work
};

constexpr std::string_view word_for(Health health) {
  if (health == Health::ok) return "ok";
  return health == Health::limited ? "limited" : "no";
}

struct Finding {
  std::string_view subject;  // what was looked at, also its name in JSON: "hardware counters"
  Health health = Health::ok;
  std::string fact;     // what was found
  std::string meaning;  // what it means for the user; empty: everything works
  std::string remedy;   // the command or setting that changes it; empty: nothing does, or nothing has to
};
using Findings = std::vector<Finding>;

}  // namespace perfsift::record
