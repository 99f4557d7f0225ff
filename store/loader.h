// Adds recordings to a store, many together.
//
// Rows are collected until they have some megabytes. A batch is inserted in this order: functions, stacks, samples,
// waits, accesses, events, quality, and at last the row of each recording, which makes its samples count. A process
// that ends before leaves rows that count nothing; the same recordings can be added again.
#pragma once

#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "store/engine/engine.h"
#include "store/ids.h"
#include "store/recording_rows.h"

namespace perfsift::store {

// Thread-safe. The engine must live longer, and must not be used by others meanwhile.
class Loader {
 public:
  // Asks which recordings are there, with the same load on all shards: others are added again.
  explicit Loader(Engine& engine);

  // Whether the recording counts already, or is in the batch. If not, it is expected to be added.
  bool claim(const Hash128& id);
  // Adds the rows of a load. Inserts the batch when it is full. Throws InputError.
  void add(RecordingRows rows);
  // Inserts the rest. Must be called at the end.
  void finish();

  // Of what was inserted.
  std::uint64_t recordings() const { return recordings_; }
  std::uint64_t samples() const { return samples_; }

 private:
  using Ids = std::unordered_set<Hash128, HashOfId>;

  struct Recording {
    std::string row;
    std::uint64_t samples = 0;
  };

  void insert();
  void insert_recordings();

  Engine& engine_;
  std::mutex mutex_;
  std::set<Hash128> known_;  // recordings
  Ids functions_, stacks_;   // that were inserted, or are in the batch
  RecordingRows batch_;      // of all its loads, without the rows of their recordings
  std::vector<Recording> recordings_of_batch_;
  std::uint64_t recordings_ = 0, samples_ = 0;
};

}  // namespace perfsift::store
