// PERF_SAMPLE_DATA_SRC: what a load or a store found on its way through the caches, as the kernel encodes it.
//
// union perf_mem_data_src in include/uapi/linux/perf_event.h. The kernel has two encodings of the level that served an
// access: mem_lvl, a bit for each level, and since 4.14 mem_lvl_num, mem_remote and mem_hops. Which of them a sample
// has depends on the processor and on the kernel; most samples have both.
#pragma once

#include <cstdint>

namespace perfsift {

struct DataSource {
  explicit constexpr DataSource(std::uint64_t bits)
      : operation(take(bits, 5)),
        level(take(bits, 14)),
        snoop(take(bits, 5)),
        lock(take(bits, 2)),
        tlb(take(bits, 7)),
        level_number(take(bits, 4)),
        remote(take(bits, 1)),
        snoop_extended(take(bits, 2)),
        blocked(take(bits, 3)),
        hops(take(bits, 3)),
        region(take(bits, 5)),
        rest(bits) {}

  // The inverse of the constructor, for parts within their widths.
  constexpr std::uint64_t bits() const {
    std::uint64_t bits = rest;
    put(bits, region, 5);
    put(bits, hops, 3);
    put(bits, blocked, 3);
    put(bits, snoop_extended, 2);
    put(bits, remote, 1);
    put(bits, level_number, 4);
    put(bits, tlb, 7);
    put(bits, lock, 2);
    put(bits, snoop, 5);
    put(bits, level, 14);
    put(bits, operation, 5);
    return bits;
  }

  unsigned operation, level, snoop, lock, tlb, level_number, remote, snoop_extended, blocked, hops, region;
  std::uint64_t rest;  // bits that had no meaning when this was written

  // mem_op
  static constexpr unsigned op_na = 1, op_load = 2, op_store = 4, op_prefetch = 8, op_exec = 16;
  // mem_lvl: the outcome, and the level
  static constexpr unsigned level_na = 1, level_hit = 2, level_miss = 4;
  static constexpr unsigned level_l1 = 8, level_lfb = 0x10, level_l2 = 0x20, level_l3 = 0x40;
  static constexpr unsigned level_local_ram = 0x80, level_remote_ram = 0x300, level_remote_cache = 0xc00;
  static constexpr unsigned level_remote_ram_1_hop = 0x100, level_remote_cache_1_hop = 0x400,
                            level_remote_cache_2_hops = 0x800;
  static constexpr unsigned level_io = 0x1000, level_uncached = 0x2000;
  static constexpr unsigned all_levels = 0x3ff8;
  // mem_snoop, mem_snoopx
  static constexpr unsigned snoop_na = 1, snoop_none = 2, snoop_hit = 4, snoop_miss = 8, snoop_hitm = 16;
  static constexpr unsigned snoop_forward = 1, snoop_peer = 2;
  // mem_lock
  static constexpr unsigned lock_na = 1, lock_locked = 2;
  // mem_dtlb
  static constexpr unsigned tlb_na = 1, tlb_hit = 2, tlb_miss = 4, tlb_l1 = 8, tlb_l2 = 16, tlb_walker = 32,
                            tlb_fault = 64;
  // mem_blk
  static constexpr unsigned blocked_na = 1, blocked_data = 2, blocked_address = 4;
  // mem_lvl_num; 1 to 4 are levels of caches. PERF_MEM_LVLNUM_*
  static constexpr unsigned number_l2_mhb = 5, number_memory_side_cache = 6, number_l0 = 7, number_uncached = 8,
                            number_cxl = 9, number_io = 10, number_any_cache = 11, number_lfb = 12, number_ram = 13,
                            number_pmem = 14, number_na = 15;

  // Whether mem_lvl_num names a level. 0 is what kernels before 4.14 and some processors write.
  constexpr bool has_number() const { return level_number != 0 && level_number != number_na; }
  // Whether a part has a value that the kernel header does not define, or that perf 7.2 has no word for: level 0, and
  // the regions of memory, which kernels since 7.0 record.
  constexpr bool has_unknown_operation() const { return operation == 0; }
  constexpr bool has_unknown_level() const { return level_number == number_l0; }
  constexpr bool has_unknown_snoop() const { return snoop_extended == (snoop_forward | snoop_peer); }
  constexpr bool has_unknown_hops() const { return hops > 4; }
  constexpr bool has_unknown_value() const {
    return has_unknown_operation() || has_unknown_level() || has_unknown_snoop() || has_unknown_hops() || region != 0 ||
           rest != 0;
  }

 private:
  static constexpr unsigned take(std::uint64_t& bits, unsigned count) {
    const auto field = static_cast<unsigned>(bits & ((1u << count) - 1));
    bits >>= count;
    return field;
  }
  static constexpr void put(std::uint64_t& bits, unsigned field, unsigned count) { bits = bits << count | field; }
};

}  // namespace perfsift
