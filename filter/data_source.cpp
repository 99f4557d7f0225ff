#include "filter/data_source.h"

namespace perfsift::filter {
namespace {

// The positions of the parts of perf_mem_data_src.
struct Part {
  unsigned shift;
  unsigned bits;

  constexpr std::uint64_t of(std::uint64_t data_src) const { return data_src >> shift & ((1u << bits) - 1); }
};
constexpr Part operation{0, 5};
constexpr Part level{5, 14};
constexpr Part snoop{19, 5};
constexpr Part lock{24, 2};
constexpr Part tlb{26, 7};
constexpr Part level_number{33, 4};
constexpr Part remote{37, 1};
constexpr Part snoop_extended{38, 2};
constexpr Part blocked{40, 3};
constexpr Part hops{43, 3};

// PERF_MEM_LVL_*
constexpr std::uint64_t level_bits = 0x3ff8;  // without N/A, hit and miss
constexpr std::uint64_t local_ram_level = 0x80;
constexpr std::uint64_t remote_ram_levels = 0x300;
constexpr std::uint64_t remote_cache_levels = 0xc00;
// PERF_MEM_LVLNUM_*
constexpr std::uint64_t any_cache_number = 0xb;
constexpr std::uint64_t ram_number = 0xd;
constexpr std::uint64_t no_number = 0xf;

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
    {"ram", local_ram_level | remote_ram_levels | numbered(ram_number)},
    {"local_ram", local_ram},
    {"remote_ram", remote_ram},
    {"remote_cache", remote_cache},
    {"any_cache", numbered(any_cache_number)},
    {"cxl", numbered(9)},
    {"pmem", numbered(0xe)},
    {"io", 0x1000 | numbered(0xa)},
    {"uncached", 0x2000},
};

constexpr Word snoop_words[] = {{"na", 1},    {"none", 2}, {"hit", 4},  {"miss", 8},
                                {"hitm", 16}, {"fwd", 32}, {"peer", 64}};
constexpr Word tlb_words[] = {{"na", 1},  {"hit", 2},   {"miss", 4},    {"l1", 8},
                              {"l2", 16}, {"walk", 32}, {"walker", 32}, {"fault", 64}};
constexpr Word blocked_words[] = {{"na", 1}, {"data", 2}, {"by_data", 2}, {"addr", 4}, {"by_addr", 4}};

}  // namespace

std::uint64_t memory_operation(std::uint64_t data_src) { return operation.of(data_src); }

std::uint64_t memory_level(std::uint64_t data_src) {
  const std::uint64_t levels = level.of(data_src) & level_bits;
  const std::uint64_t number = level_number.of(data_src);
  const bool is_remote = remote.of(data_src) != 0;
  if (levels == 0 && (number == 0 || number == no_number)) return not_available;
  std::uint64_t set = levels;
  if (number != 0 && number != no_number) set |= numbered(static_cast<unsigned>(number));
  if ((levels & local_ram_level) != 0 || (number == ram_number && !is_remote)) set |= local_ram;
  if ((levels & remote_ram_levels) != 0 || (number == ram_number && is_remote)) set |= remote_ram;
  const bool is_cache = (number >= 1 && number <= 4) || number == any_cache_number;
  if ((levels & remote_cache_levels) != 0 || (is_cache && is_remote)) set |= remote_cache;
  return set;
}

std::uint64_t memory_outcome(std::uint64_t data_src) { return level.of(data_src) >> 1 & 3; }
std::uint64_t memory_snoop(std::uint64_t data_src) {
  return snoop.of(data_src) | snoop_extended.of(data_src) << snoop.bits;
}
std::uint64_t memory_tlb(std::uint64_t data_src) { return tlb.of(data_src); }
std::uint64_t memory_blocked(std::uint64_t data_src) { return blocked.of(data_src); }
std::uint64_t memory_locked(std::uint64_t data_src) { return lock.of(data_src) >> 1; }
std::uint64_t memory_remote(std::uint64_t data_src) { return remote.of(data_src); }
std::uint64_t memory_hops(std::uint64_t data_src) { return hops.of(data_src); }

std::span<const Word> memory_operation_words() { return operation_words; }
std::span<const Word> memory_level_words() { return level_words; }
std::span<const Word> memory_snoop_words() { return snoop_words; }
std::span<const Word> memory_tlb_words() { return tlb_words; }
std::span<const Word> memory_blocked_words() { return blocked_words; }

}  // namespace perfsift::filter
