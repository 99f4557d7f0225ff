// Names of the kernel's generic events, as perf spells them: evsel__hw_names, evsel__sw_names and evsel__hw_cache in
// tools/perf/util/evsel.c. Numbers become names in event.h, and names become numbers in record/events.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace perfsift::reader {

// PERF_COUNT_HW_*
inline constexpr std::array<std::string_view, 10> hardware_event_names{
    "cycles",        "instructions", "cache-references",        "cache-misses",           "branches",
    "branch-misses", "bus-cycles",   "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles",
};

// PERF_COUNT_SW_*: perf has no names for the numbers after dummy (bpf-output, cgroup-switches).
inline constexpr std::array<std::string_view, 10> software_event_names{
    "cpu-clock",    "task-clock",   "page-faults",      "context-switches", "cpu-migrations",
    "minor-faults", "major-faults", "alignment-faults", "emulation-faults", "dummy",
};

// A part of a cache event in all spellings that perf reads. perf writes the first, of operations also the second;
// unused places are empty.
using CacheWords = std::array<std::string_view, 5>;

// PERF_COUNT_HW_CACHE_*
struct EventCache {
  CacheWords names;
  unsigned operations = 0;  // a bit for each operation that exists
  constexpr bool has(std::size_t operation) const { return (operations >> operation & 1) != 0; }
};
inline constexpr std::array<EventCache, 7> event_caches{{
    {{"L1-dcache", "l1-d", "l1d", "L1-data"}, 0b111},
    {{"L1-icache", "l1-i", "l1i", "L1-instruction"}, 0b101},
    {{"LLC", "L2"}, 0b111},
    {{"dTLB", "d-tlb", "Data-TLB"}, 0b111},
    {{"iTLB", "i-tlb", "Instruction-TLB"}, 0b001},
    {{"branch", "branches", "bpu", "btb", "bpc"}, 0b001},
    {{"node"}, 0b111},
}};
// PERF_COUNT_HW_CACHE_OP_*
inline constexpr std::array<CacheWords, 3> cache_operations{{
    {"load", "loads", "read"},
    {"store", "stores", "write"},
    {"prefetch", "prefetches", "speculative-read", "speculative-load"},
}};
// PERF_COUNT_HW_CACHE_RESULT_*
inline constexpr std::array<CacheWords, 2> cache_results{{
    {"refs", "Reference", "ops", "access"},
    {"misses", "miss"},
}};

}  // namespace perfsift::reader
