// Memory accesses as sums by what does not need their addresses: what a store keeps of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/memory/node_match.h"
#include "analysis/profile/amount.h"
#include "analysis/samples/frame_table.h"
#include "base/hash.h"

namespace perfsift::analysis {

// What accesses of a sum have in common. FrameIds are the texts that MemoryCells gives for the keys of these names.
struct SummedAccess {
  std::uint32_t time = 0;   // in seconds: see MemoryOptions::time_of
  std::uint32_t stack = 0;  // index into SummedAccesses::stacks
  FrameId event = 0, comm = 0, cgroup = 0;
  FrameId symbol = 0, dso = 0;                    // of the code
  FrameId variable = 0, dso_daddr = 0, kind = 0;  // of the data
  std::uint64_t source = 0;                       // the bits of the data source
  bool has_address = false;
  bool mapped = false;  // code and data are in mappings
  NodeMatch node = NodeMatch::unknown;
  std::uint32_t latency_bucket = 0;  // see base/histogram_bucket.h; 0: no latency
  bool operator==(const SummedAccess&) const = default;
};

struct HashOfSummedAccess {
  std::size_t operator()(const SummedAccess& key) const {
    const auto pair = [](std::uint64_t a, std::uint64_t b) { return a << 32 | b; };
    std::uint64_t hash = mix(pair(key.time, key.stack) ^ odd_1, key.source ^ odd_2);
    hash = mix(hash ^ pair(key.comm, key.cgroup), pair(key.symbol, key.dso) ^ odd_3);
    hash = mix(hash ^ pair(key.variable, key.dso_daddr), pair(key.kind, key.latency_bucket) ^ odd_1);
    const std::uint64_t flags =
        (key.has_address ? 1 : 0) | (key.mapped ? 2 : 0) | static_cast<std::uint64_t>(key.node) << 2;
    return mix(hash ^ pair(key.event, flags), odd_2);
  }
};

struct SummedAccesses {
  struct Sum {
    SummedAccess key;
    Amount amount;  // accesses, and their weight: the latency, or 1 without one
  };
  const FrameTable* frames = nullptr;        // and texts
  std::vector<std::vector<FrameId>> stacks;  // root first, without the thread
  std::vector<Sum> sums;
};

}  // namespace perfsift::analysis
