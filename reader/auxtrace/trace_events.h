// The kinds of samples that are made from a hardware trace.
#pragma once

#include <cstdint>

namespace perfsift::reader {

// One sampled operation may become samples of several events, as in perf: `perf script --itrace`. The letters are
// perf's.
struct TraceEvents {
  bool instructions = false;  // i: every operation
  bool branches = false;      // b
  bool first_level = false;   // f: misses and accesses of the first-level cache
  bool last_level = false;    // m: the same of the last-level cache
  bool tlb = false;           // t: the same of the TLB
  bool remote = false;        // a: accesses to another chip
  bool memory = false;        // M: every access to memory

  bool any() const { return instructions || branches || first_level || last_level || tlb || remote || memory; }
  static constexpr TraceEvents all() { return {true, true, true, true, true, true, true}; }
};

}  // namespace perfsift::reader
