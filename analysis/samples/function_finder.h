// Tells which function an address of a sample belongs to.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "analysis/samples/aligned_leaf.h"
#include "analysis/samples/code_facts.h"
#include "analysis/samples/code_versions.h"
#include "base/recent_map.h"
#include "reader/timeline/timeline.h"
#include "symbolize/symbolizer.h"

namespace perfsift::analysis {

// Each address is looked up once. Not thread-safe. All constructor arguments must live longer.
class FunctionFinder {
 public:
  // `symbolizer`: nullptr if no address has a symbol. `versions`: nullptr if the latest code at an address counts.
  FunctionFinder(const reader::Timeline& timeline, symbolize::Symbolizer* symbolizer, const CodeVersions* versions)
      : timeline_(timeline), symbolizer_(symbolizer), versions_(versions) {}

  // The function at an address of a thread's code at `time`.
  FunctionAt find(const reader::ThreadState& thread, std::uint64_t time, reader::CpuMode mode, std::uint64_t address,
                  bool return_address);

 private:
  FunctionAt look_up(const reader::ThreadState& thread, std::uint32_t version, reader::CpuMode mode,
                     std::uint64_t address, bool return_address) const;

  const reader::Timeline& timeline_;
  symbolize::Symbolizer* const symbolizer_;
  const CodeVersions* const versions_;
  static constexpr std::size_t most_addresses = 1 << 18;  // a stream has ever new processes
  RecentMap<CodeFacts::LocationKey, FunctionAt, CodeFacts::LocationHash, 256> known_;
};

}  // namespace perfsift::analysis
