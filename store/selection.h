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

  // SQL, behind FROM: the recordings that `labels` choose, where they were looked up once (KeptSelection). Empty: the
  // table recordings has them.
  std::string kept_recordings = {};

  // SQL, behind FROM: the recordings that `labels` choose.
  std::string wanted_recordings() const;
  // The parameters of these recordings, and of the condition.
  Parameters parameters() const;
  // SQL: what follows a condition on the table samples, or on accesses; without events, on waits, too: " AND …". A
  // column that may have any value is not in it: the engine would read the column, and not use its index for the
  // others.
  std::string further_condition_on_samples() const;
};

// An SQL condition on the table recordings. No text of a user becomes SQL: names and values are parameters.
extern const char* const condition_on_recordings;
// The same: recordings that began in the times of the selection. A roll-up has all of its time in them.
extern const char* const condition_on_beginnings;

}  // namespace perfsift::store
