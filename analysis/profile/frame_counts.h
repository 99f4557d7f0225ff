// How often each distinct address occurs in the stacks of a recording, so that it is looked up once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "analysis/profile/callchain_table.h"
#include "analysis/profile/quality.h"
#include "reader/timeline/timeline.h"
#include "symbolize/symbolizer.h"

namespace perfsift::analysis {

// Not thread-safe: one for every thread, which are then added up.
class FrameCounts {
 public:
  explicit FrameCounts(const reader::Timeline& timeline) : timeline_(timeline) {}

  // Counts the frames of so many samples with this callchain.
  void add(const KnownCallchain& chain, std::uint64_t samples);
  void add(const FrameCounts& other);

  // Looks for the names of all of them, and says in `quality` how many frames there are, and which have none and why.
  void name(symbolize::Symbolizer& symbolizer, Quality& quality) const;

 private:
  // What an address means is decided by these. Addresses of guests are nowhere, whatever the maps.
  struct Key {
    std::uint64_t ip = 0;
    reader::MapsVersion maps = 0;
    reader::CpuMode mode = reader::CpuMode::unknown;
    bool return_address = false;
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
