// Counts how often each distinct address occurs in the stacks of a recording, so that each address is looked up only
// once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "analysis/collect/callchain_table.h"
#include "analysis/profile/quality.h"
#include "reader/timeline/timeline.h"
#include "symbolize/symbolizer.h"

namespace perfsift::analysis {

// Not thread-safe. Each thread has its own object, and add() sums them up.
class FrameCounts {
 public:
  explicit FrameCounts(const reader::Timeline& timeline) : timeline_(timeline) {}

  // Counts the frames of `samples` samples with this callchain.
  void add(const KnownCallchain& chain, std::uint64_t samples);
  void add(const FrameCounts& other);

  // Looks up the names of all addresses. Adds to `quality` the number of frames, the frames without a name by reason,
  // and the frames whose caller may be missing.
  void name(symbolize::Symbolizer& symbolizer, Quality& quality) const;

 private:
  // The address, and everything else that decides its meaning. Addresses of guests have no mapping in any address
  // space.
  struct Key {
    std::uint64_t ip = 0;
    reader::MapsVersion maps = 0;
    reader::CpuMode mode = reader::CpuMode::unknown;
    bool return_address = false;
    bool before_frame_pointers = false;  // the first user frame, whose callers are found by frame pointers only
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  struct AddressCount {
    CodeAddress address;
    std::uint64_t count = 0;
  };

  const reader::Timeline& timeline_;
  std::unordered_map<Key, AddressCount, KeyHash> counts_;
};

}  // namespace perfsift::analysis
