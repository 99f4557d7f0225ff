#include "filter/data_source.h"

#include "base/data_source.h"

namespace perfsift::filter {
namespace {

// A level by its number, behind the bits of mem_lvl.
constexpr std::uint64_t numbered(unsigned number) { return std::uint64_t{1} << (16 + number); }
// Facts that several parts express together.
constexpr std::uint64_t not_available = 1;
constexpr std::uint64_t local_ram = std::uint64_t{1} << 32;
constexpr std::uint64_t remote_ram = std::uint64_t{1} << 33;
constexpr std::uint64_t remote_cache = std::uint64_t{1} << 34;

constexpr Word operation_words[] = {{"na", 1}, {"load", 2}, {"store", 4}, {"pfetch", 8}, {"prefetch", 8}, {"exec", 16}};

constexpr Word level_words[] = {
    {"na", not_available},
    {"l1", 0x08 | numbered(1)},
    {"lfb", 0x10 | numbered(0xc)},
    {"l2", 0x20 | numbered(2)},
    {"l3", 0x40 | numbered(3)},
    {"l4", numbered(4)},
    {"ram", DataSource::level_local_ram | DataSource::level_remote_ram | numbered(DataSource::number_ram)},
    {"local_ram", local_ram},
    {"remote_ram", remote_ram},
    {"remote_cache", remote_cache},
    {"any_cache", numbered(DataSource::number_any_cache)},
    {"cxl", numbered(9)},
    {"pmem", numbered(0xe)},
    {"io", 0x1000 | numbered(0xa)},
    {"uncached", 0x2000 | numbered(DataSource::number_uncached)},
};

constexpr Word snoop_words[] = {{"na", 1},    {"none", 2}, {"hit", 4},  {"miss", 8},
                                {"hitm", 16}, {"fwd", 32}, {"peer", 64}};
constexpr Word tlb_words[] = {{"na", 1},  {"hit", 2},   {"miss", 4},    {"l1", 8},
                              {"l2", 16}, {"walk", 32}, {"walker", 32}, {"fault", 64}};
constexpr Word blocked_words[] = {{"na", 1}, {"data", 2}, {"by_data", 2}, {"addr", 4}, {"by_addr", 4}};

}  // namespace

std::uint64_t memory_operation(std::uint64_t data_src) { return DataSource(data_src).operation; }

std::uint64_t memory_level(std::uint64_t data_src) {
  const DataSource source(data_src);
  const unsigned levels = source.level & DataSource::all_levels;
  const bool numbered_ram = source.level_number == DataSource::number_ram;
  const bool is_remote = source.remote != 0;
  if (levels == 0 && !source.has_number()) return not_available;
  std::uint64_t set = levels;
  if (source.has_number()) set |= numbered(source.level_number);
  if ((levels & DataSource::level_local_ram) != 0 || (numbered_ram && !is_remote)) set |= local_ram;
  if ((levels & DataSource::level_remote_ram) != 0 || (numbered_ram && is_remote)) set |= remote_ram;
  const bool is_cache =
      (source.level_number >= 1 && source.level_number <= 4) || source.level_number == DataSource::number_any_cache;
  if ((levels & DataSource::level_remote_cache) != 0 || (is_cache && is_remote)) set |= remote_cache;
  return set;
}

std::uint64_t memory_outcome(std::uint64_t data_src) { return DataSource(data_src).level >> 1 & 3; }
std::uint64_t memory_snoop(std::uint64_t data_src) {
  constexpr unsigned bits_of_snoop = 5;
  const DataSource source(data_src);
  return source.snoop | source.snoop_extended << bits_of_snoop;
}
std::uint64_t memory_tlb(std::uint64_t data_src) { return DataSource(data_src).tlb; }
std::uint64_t memory_blocked(std::uint64_t data_src) { return DataSource(data_src).blocked; }
std::uint64_t memory_locked(std::uint64_t data_src) { return DataSource(data_src).lock >> 1; }
std::uint64_t memory_remote(std::uint64_t data_src) { return DataSource(data_src).remote; }
std::uint64_t memory_hops(std::uint64_t data_src) { return DataSource(data_src).hops; }
std::uint64_t memory_region(std::uint64_t data_src) { return DataSource(data_src).region; }

std::span<const Word> memory_operation_words() { return operation_words; }
std::span<const Word> memory_level_words() { return level_words; }
std::span<const Word> memory_snoop_words() { return snoop_words; }
std::span<const Word> memory_tlb_words() { return tlb_words; }
std::span<const Word> memory_blocked_words() { return blocked_words; }

}  // namespace perfsift::filter
