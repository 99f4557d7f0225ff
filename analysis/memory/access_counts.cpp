#include "analysis/memory/access_counts.h"

#include <array>

namespace perfsift::analysis {
namespace {

using Source = DataSource;

// mem_remote also means another core of the same node. mem_hops then says how far away this core is.
bool is_plainly_remote(const Source& source) { return source.remote != 0 && source.hops == 0; }

// mem_lvl for a number of mem_lvl_num; 0: mem_lvl has no bit for the level.
unsigned levels_of_number(const Source& source) {
  switch (source.level_number) {
    case 1:
      return Source::level_l1;
    case 2:
      return Source::level_l2;
    case 3:
      return source.remote != 0 ? Source::level_remote_cache_1_hop : Source::level_l3;
    case Source::number_any_cache:
      return source.remote != 0 ? Source::level_remote_cache_1_hop : 0;
    case Source::number_lfb:
      return Source::level_lfb;
    case Source::number_ram:
      return source.remote != 0 ? Source::level_remote_ram_1_hop : Source::level_local_ram;
    case Source::number_io:
      return Source::level_io;
    case Source::number_uncached:
      return Source::level_uncached;
    default:
      return 0;
  }
}

// perf counts by mem_lvl only. So a number of mem_lvl_num counts only if the access is known to have hit a level.
unsigned hit_levels_of(const Source& source) {
  return (source.level & Source::level_hit) != 0 ? levels_of(source) : source.level;
}

constexpr std::array counters = {
    &AccessCounts::records,
    &AccessCounts::locked,
    &AccessCounts::blocked_by_data,
    &AccessCounts::blocked_by_address,
    &AccessCounts::loads,
    &AccessCounts::loads_without_address,
    &AccessCounts::load_uncached,
    &AccessCounts::load_io,
    &AccessCounts::load_fill_buffer,
    &AccessCounts::load_l1,
    &AccessCounts::load_l2,
    &AccessCounts::load_llc,
    &AccessCounts::load_local_ram,
    &AccessCounts::load_remote_ram,
    &AccessCounts::load_exclusive,
    &AccessCounts::load_shared,
    &AccessCounts::load_remote_cache,
    &AccessCounts::load_miss,
    &AccessCounts::local_hitm,
    &AccessCounts::remote_hitm,
    &AccessCounts::local_peer,
    &AccessCounts::remote_peer,
    &AccessCounts::stores,
    &AccessCounts::stores_without_address,
    &AccessCounts::store_uncached,
    &AccessCounts::store_l1_hit,
    &AccessCounts::store_l1_miss,
    &AccessCounts::store_unknown_level,
    &AccessCounts::unmapped,
    &AccessCounts::neither,
    &AccessCounts::unknown_value,
};
static_assert(sizeof(AccessCounts) == counters.size() * sizeof(std::uint64_t));

}  // namespace

unsigned levels_of(const Source& source) {
  if ((source.level & Source::all_levels) != 0 || !source.has_number()) return source.level;
  return source.level | levels_of_number(source);
}

bool is_remote(const Source& source) {
  return (levels_of(source) & (Source::level_remote_ram | Source::level_remote_cache)) != 0 ||
         is_plainly_remote(source);
}

Conflict conflict_of(const Source& source) {
  if ((source.operation & Source::op_load) == 0) return Conflict::none;
  const unsigned levels = hit_levels_of(source);
  const bool hitm = (source.snoop & Source::snoop_hitm) != 0;
  const bool peer = (source.snoop_extended & Source::snoop_peer) != 0;
  if ((levels & Source::level_remote_cache) != 0 || is_plainly_remote(source)) {
    if ((source.snoop & Source::snoop_hit) != 0) return Conflict::none;
    if (hitm) return Conflict::remote_hitm;
    if (peer) return Conflict::remote_peer;
  }
  if ((levels & Source::level_hit) == 0) return Conflict::none;
  if ((levels & (Source::level_l2 | Source::level_l3)) == 0) return Conflict::none;
  return hitm ? Conflict::local_hitm : peer ? Conflict::local_peer : Conflict::none;
}

bool counts_for_line(const Source& source, bool has_address, bool mapped) {
  return has_address && mapped && (source.operation & (Source::op_load | Source::op_store)) != 0;
}

void AccessCounts::add(const Source& source, bool has_address, bool mapped) {
  ++records;
  if (source.has_unknown_value()) ++unknown_value;
  if ((source.lock & Source::lock_locked) != 0) ++locked;
  if ((source.blocked & Source::blocked_data) != 0) ++blocked_by_data;
  if ((source.blocked & Source::blocked_address) != 0) ++blocked_by_address;
  if ((source.operation & Source::op_load) != 0) {
    ++loads;
    if (!has_address) return void(++loads_without_address);
    add_load(source);
  } else if ((source.operation & Source::op_store) != 0) {
    ++stores;
    if (!has_address) return void(++stores_without_address);
    add_store(levels_of(source));
  } else {
    return void(++neither);
  }
  if (!mapped) ++unmapped;
}

void AccessCounts::add_load(const Source& source) {
  const unsigned levels = hit_levels_of(source);
  if ((levels & Source::level_hit) != 0) add_load_hit(source, levels);
  if ((levels & Source::level_remote_cache) != 0 || is_plainly_remote(source)) {
    if ((source.snoop & Source::snoop_hit) != 0) {
      ++load_remote_cache;
    } else if ((source.snoop & Source::snoop_hitm) != 0) {
      ++remote_hitm;
    } else if ((source.snoop_extended & Source::snoop_peer) != 0) {
      ++load_remote_cache;
      ++remote_peer;
    }
  }
  if ((levels & Source::level_miss) != 0) ++load_miss;
}

void AccessCounts::add_load_hit(const Source& source, unsigned levels) {
  const bool peer = (source.snoop_extended & Source::snoop_peer) != 0;
  const auto add_memory = [&](std::uint64_t& count) {
    ++count;
    ++((source.snoop & Source::snoop_hit) != 0 ? load_shared : load_exclusive);
  };
  if ((levels & Source::level_uncached) != 0) ++load_uncached;
  if ((levels & Source::level_io) != 0) ++load_io;
  if ((levels & Source::level_lfb) != 0) ++load_fill_buffer;
  if ((levels & Source::level_l1) != 0) ++load_l1;
  if ((levels & Source::level_l2) != 0) {
    ++((source.snoop & Source::snoop_hitm) != 0 ? local_hitm : load_l2);
    if (peer) ++local_peer;
  }
  if ((levels & Source::level_l3) != 0) {
    ++((source.snoop & Source::snoop_hitm) != 0 ? local_hitm : load_llc);
    if (peer) ++local_peer;
  }
  if ((levels & Source::level_local_ram) != 0) add_memory(load_local_ram);
  if ((levels & Source::level_remote_ram) != 0 || is_plainly_remote(source)) add_memory(load_remote_ram);
}

void AccessCounts::add_store(unsigned levels) {
  if ((levels & Source::level_hit) != 0) {
    if ((levels & Source::level_uncached) != 0) ++store_uncached;
    if ((levels & Source::level_l1) != 0) ++store_l1_hit;
  } else if ((levels & Source::level_miss) != 0) {
    if ((levels & Source::level_l1) != 0) ++store_l1_miss;
  } else if ((levels & Source::level_na) != 0) {
    ++store_unknown_level;
  }
}

void AccessCounts::add(const AccessCounts& other, std::uint64_t times) {
  for (const auto counter : counters) this->*counter += other.*counter * times;
}

}  // namespace perfsift::analysis
