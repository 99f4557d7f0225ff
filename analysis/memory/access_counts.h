// Counts of memory accesses by result, in the categories of perf c2c. One category differs: an access to a line that
// another cache of the node had modified is a local HITM only, and not also in perf's "Load LLC hit".
#pragma once

#include <cstdint>

#include "base/data_source.h"

namespace perfsift::analysis {

// The mem_lvl of an access, even if the sample has only mem_lvl_num.
unsigned levels_of(const DataSource& source);
// Whether the access is known to have left its node, because a cache or the memory of another node served it.
bool is_remote(const DataSource& source);
// Whether the access found a line that another cache had modified (HITM), or that a peer cache sent (Arm).
enum class Conflict : std::uint8_t { none, local_hitm, remote_hitm, local_peer, remote_peer };
Conflict conflict_of(const DataSource& source);

// Whether perf c2c assigns the access to a cache line.
bool counts_for_line(const DataSource& source, bool has_address, bool mapped);

// An access may be in several counts. The rules are those of c2c_decode_stats() in tools/perf/util/mem-events.c.
struct AccessCounts {
  std::uint64_t records = 0;
  std::uint64_t locked = 0, blocked_by_data = 0, blocked_by_address = 0;

  std::uint64_t loads = 0;
  std::uint64_t loads_without_address = 0;
  std::uint64_t load_uncached = 0, load_io = 0, load_fill_buffer = 0, load_l1 = 0, load_l2 = 0, load_llc = 0;
  std::uint64_t load_local_ram = 0, load_remote_ram = 0;
  std::uint64_t load_exclusive = 0, load_shared = 0;  // loads of memory by the state of the line
  std::uint64_t load_remote_cache = 0;                // unmodified
  std::uint64_t load_miss = 0;
  std::uint64_t local_hitm = 0, remote_hitm = 0, local_peer = 0, remote_peer = 0;

  std::uint64_t stores = 0;
  std::uint64_t stores_without_address = 0;
  std::uint64_t store_uncached = 0, store_l1_hit = 0, store_l1_miss = 0, store_unknown_level = 0;

  std::uint64_t unmapped = 0;       // the code or the data lies in no mapping
  std::uint64_t neither = 0;        // neither a load nor a store
  std::uint64_t unknown_value = 0;  // a part of the data source has an unknown value

  std::uint64_t hitm() const { return local_hitm + remote_hitm; }
  std::uint64_t peer() const { return local_peer + remote_peer; }

  // `has_address`: the data's address was recorded. `mapped`: code and data are in mappings.
  void add(const DataSource& source, bool has_address, bool mapped);
  void add(const AccessCounts& other, std::uint64_t times = 1);
  bool operator==(const AccessCounts&) const = default;

 private:
  void add_load(const DataSource& source);
  void add_load_hit(const DataSource& source, unsigned levels);
  void add_store(unsigned levels);
};

}  // namespace perfsift::analysis
