// Tells which function an address of a sample belongs to.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "analysis/samples/address_table.h"
#include "analysis/samples/aligned_leaf.h"
#include "analysis/samples/code_versions.h"
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
  // A function as AddressTable keeps it: its number, and what is known of it as bits.
  static constexpr std::uint32_t is_named = 1, is_at_start = 2;
  FrameNamer::Named look_up(const reader::ThreadState& thread, std::uint32_t version, reader::CpuMode mode,
                            std::uint64_t address, bool return_address);
  std::uint32_t number_of(std::uint64_t function);

  const reader::Timeline& timeline_;
  symbolize::Symbolizer* const symbolizer_;
  const CodeVersions* const versions_;
  static constexpr std::size_t most_addresses = 1 << 18;  // a stream has ever new processes
  AddressTables known_;
  std::size_t known_addresses_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;  // by symbol, or by binary
};

}  // namespace perfsift::analysis
