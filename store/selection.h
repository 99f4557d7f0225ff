// Which samples of a store are wanted.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "store/engine/parameters.h"

namespace perfsift::store {

// A name with several values wants any of them; several names want all of them.
struct Selection {
  std::map<std::string, std::vector<std::string>> labels;  // of recordings; the value "" also stands for no such label
  std::vector<std::string> threads, cgroups, events;       // of samples; empty: all
  // Seconds since 1970, to ten seconds: the times of samples, from `from` to before `to`.
  std::optional<std::uint32_t> from, to;

  // The parameters of conditions_on_recordings and conditions_on_samples.
  Parameters parameters() const;
};

// SQL conditions, with parameters: no text of a user becomes SQL.
extern const char* const conditions_on_recordings;
extern const char* const conditions_on_samples;

}  // namespace perfsift::store
