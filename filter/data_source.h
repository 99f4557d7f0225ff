// PERF_SAMPLE_DATA_SRC of a memory access, as sets of words.
//
// The kernel has two encodings of the level that served an access: mem_lvl, a bit for each level, and mem_lvl_num and
// mem_remote since 4.14, which are gradually replacing it (perf_mem_data_src in include/uapi/linux/perf_event.h).
// A word of mem.lvl means either.
#pragma once

#include <cstdint>
#include <span>

#include "filter/field.h"

namespace perfsift::filter {

std::uint64_t memory_operation(std::uint64_t data_src);
std::uint64_t memory_level(std::uint64_t data_src);
std::uint64_t memory_outcome(std::uint64_t data_src);  // 1 hit, 2 miss
std::uint64_t memory_snoop(std::uint64_t data_src);
std::uint64_t memory_tlb(std::uint64_t data_src);
std::uint64_t memory_blocked(std::uint64_t data_src);
std::uint64_t memory_locked(std::uint64_t data_src);  // 1: yes
std::uint64_t memory_remote(std::uint64_t data_src);  // 1: yes
std::uint64_t memory_hops(std::uint64_t data_src);    // a number, not a set
std::uint64_t memory_region(std::uint64_t data_src);  // likewise

std::span<const Word> memory_operation_words();
std::span<const Word> memory_level_words();
std::span<const Word> memory_snoop_words();
std::span<const Word> memory_tlb_words();
std::span<const Word> memory_blocked_words();

}  // namespace perfsift::filter
