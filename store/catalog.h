// What is in a store: its recordings, their labels, and whether everything is there.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/sip_hash.h"
#include "store/engine/engine.h"
#include "store/recording_rows.h"
#include "store/selection.h"

namespace perfsift::store {

struct StoredRecording {
  Hash128 id;
  std::uint64_t load = 0;
  Labels labels;
  std::string path;
  std::uint64_t began = 0;     // nanoseconds since 1970
  std::uint64_t duration = 0;  // nanoseconds
  std::uint32_t added = 0;     // seconds since 1970
  std::uint64_t samples = 0;
  std::uint64_t lost = 0;        // samples and other records
  std::uint32_t bucket = 0;      // of a roll-up: the seconds of its rows of samples
  std::uint64_t recordings = 1;  // that were rolled up
};

// In the order of their beginnings. The times of the selection are those at which recordings began: a roll-up has all
// of its time in them.
std::vector<StoredRecording> list_recordings(Engine& engine, const Selection& selection);
// Removes recordings that list_recordings() lists, with their samples. Returns how many, those in roll-ups included.
std::uint64_t remove_recordings(Engine& engine, const Selection& selection);

// How large a store is, and what questions can choose from.
struct StoreSummary {
  std::uint64_t recordings = 0, samples = 0;
  std::uint64_t sample_rows = 0, wait_rows = 0, access_rows = 0, stacks = 0, functions = 0;
  std::uint64_t bytes = 0;                      // on disk
  std::map<std::string, std::uint64_t> labels;  // the number of values
  std::map<std::string, std::uint64_t> events;  // the number of samples
};
StoreSummary summarize(Engine& engine, const Selection& selection);

// What is wrong with a store.
struct StoreCheck {
  struct Difference {
    std::string path;
    std::uint64_t added = 0, here = 0;  // samples
  };
  std::vector<Difference> differences;
  std::uint64_t missing_stacks = 0, missing_functions = 0;
  std::uint64_t rows_of_no_recording = 0;  // of loads that broke off: they count nothing
  std::uint64_t disagreements = 0;         // recordings that some shards have, or with another load
  std::uint64_t without_roll_up = 0;       // recordings in a roll-up that is not there

  bool is_whole() const {
    return differences.empty() && missing_stacks == 0 && missing_functions == 0 && disagreements == 0 &&
           without_roll_up == 0;
  }
};
StoreCheck check_store(Engine& engine);
// Removes the rows of loads that broke off, and recordings on which shards disagree, after roll-ups that broke off
// between shards were completed. No other process may be adding recordings.
void remove_broken_loads(Engine& engine);

}  // namespace perfsift::store
