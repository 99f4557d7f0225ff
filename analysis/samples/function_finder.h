// Finds the functions to which the first frames of samples belong.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "analysis/samples/address_table.h"
#include "analysis/samples/aligned_leaf.h"
#include "analysis/samples/code_versions.h"
#include "base/recent_cache.h"
#include "reader/timeline/timeline.h"
#include "symbolize/symbolizer.h"

namespace perfsift::analysis {

// Each address is looked up once. Not thread-safe. All constructor arguments must live longer.
class FunctionFinder {
 public:
  // `symbolizer`: nullptr if no address has a symbol. `versions`: nullptr if the latest code at an address counts.
  FunctionFinder(const reader::Timeline& timeline, symbolize::Symbolizer* symbolizer, const CodeVersions* versions)
      : timeline_(timeline), symbolizer_(symbolizer), versions_(versions) {}

  // The place of the ip of a sample of a thread at `time`.
  LeafPlace place_of(const FirstFrames& frames, const reader::ThreadState& thread, std::uint64_t time);

 private:
  // The code that a thread has mapped.
  struct Code {
    const reader::ThreadState& thread;
    std::uint32_t version;
  };
  // Addresses that lie close together in a context.
  struct Line {
    std::uint64_t context = 0;
    std::uint64_t number = 0;
    bool operator==(const Line&) const = default;
  };
  // Addresses of one function.
  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
    bool has(std::uint64_t address) const { return address - begin < size; }
  };

  static std::uint64_t context_of(const Code& code, reader::CpuMode mode, bool return_address);
  bool are_in_one_function(const Code& code, const FirstFrames& frames);
  Range range_at(const Code& code, reader::CpuMode mode, std::uint64_t address) const;
  FunctionAt find(const Code& code, reader::CpuMode mode, std::uint64_t address, bool return_address);
  // A function as AddressTable keeps it: its number, and what is known of it as bits.
  static constexpr std::uint32_t is_named = 1, is_at_start = 2;
  FrameNamer::Named look_up(const Code& code, reader::CpuMode mode, std::uint64_t address, bool return_address);
  std::uint32_t number_of(std::uint64_t function);

  const reader::Timeline& timeline_;
  symbolize::Symbolizer* const symbolizer_;
  const CodeVersions* const versions_;
  static constexpr std::size_t most_addresses = 1 << 18;  // a stream has ever new processes
  AddressTables known_;
  RecentCache<Line, Range, 512> ranges_;  // the range of the last address in a line
  std::size_t known_addresses_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;  // by symbol, or by binary
};

}  // namespace perfsift::analysis
