// Memory accesses added up by all keys that a report on cache lines distinguishes.
#pragma once

#include <compare>
#include <cstdint>

#include "analysis/memory/line_accesses.h"
#include "analysis/memory/memory_cells.h"
#include "base/hash.h"
#include "base/recent_map.h"

namespace perfsift::analysis {

// A use of data. The order of the members sorts the uses of a line by their offsets.
struct LineUse {
  std::uint64_t space = 0;    // see MemoryCells::Home
  std::uint64_t address = 0;  // address in the space
  std::uint64_t offset = 0;   // see MemoryCells::Home
  std::uint32_t binary = CodeAddress::no_binary;
  FrameId variable = 0, kind = 0, node = 0;
  std::int32_t tid = 0;
  FrameId thread = 0, code = 0, dso = 0;
  std::int32_t cpu = 0;
  auto operator<=>(const LineUse&) const = default;
};

// Each collecting thread has its own object, and add() joins them. Not thread-safe.
class LineSums {
 public:
  struct Sum {
    LineAccesses accesses;
    std::uint64_t lowest = ~std::uint64_t{0};  // lowest virtual address: processes may map the memory at several
  };

  // `cells` holds the access.
  void add(const reader::Sample& sample, const MemoryAccess& access, MemoryCells& cells);
  void add(LineSums&& other);

  auto begin() const { return sums_.begin(); }
  auto end() const { return sums_.end(); }

 private:
  struct Hash {
    std::size_t operator()(const LineUse& use) const {
      return mix(mix(use.space ^ odd_1, use.address ^ odd_2) ^ odd_3,
                 (std::uint64_t{use.code} << 32 | static_cast<std::uint32_t>(use.tid)) ^
                     std::uint64_t{static_cast<std::uint32_t>(use.cpu)} << 20);
    }
  };

  RecentMap<LineUse, Sum, Hash> sums_;
};

}  // namespace perfsift::analysis
