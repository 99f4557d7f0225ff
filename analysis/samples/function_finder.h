// Finds the functions to which the first frames of samples belong.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analysis/samples/address_context.h"
#include "analysis/samples/address_table.h"
#include "analysis/samples/aligned_leaf.h"
#include "analysis/samples/code_versions.h"
#include "analysis/samples/stack_namer.h"
#include "base/hash.h"
#include "reader/timeline/timeline.h"
#include "symbolize/symbolizer.h"

namespace perfsift::analysis {

// Each address is looked up once. Not thread-safe. All constructor arguments must live longer.
class FunctionFinder {
 public:
  // `symbolizer`: nullptr if no address has a symbol. `versions`: nullptr if the latest code at an address counts.
  FunctionFinder(const reader::Timeline& timeline, symbolize::Symbolizer* symbolizer, const CodeVersions* versions)
      : timeline_(timeline), symbolizer_(symbolizer), versions_(versions) {}

  // Whether the ip and the first frame of a sample of a thread at `time` are in one function with a symbol. The caller
  // is not used.
  bool are_in_one_function(const FirstFrames& frames, const reader::ThreadState& thread, std::uint64_t time) {
    const Code code = code_at(thread, time);
    const std::uint64_t context = context_of(code, frames.mode, false);
    const Range* range = &range_of_line(context, frames.ip);
    if (!range->has(context, frames.ip)) range = &look_up_range(code, frames.mode, frames.ip);
    return range->named && range->has(context, frames.first);
  }
  // The place of the ip of a sample of a thread at `time`, if the answer above is no.
  LeafPlace place_of(const FirstFrames& frames, const reader::ThreadState& thread, std::uint64_t time);

 private:
  // The code that a thread has mapped.
  struct Code {
    const reader::ThreadState& thread;
    std::uint32_t version;
  };
  // Addresses of one function, or of code without a symbol, in a context.
  struct alignas(32) Range {
    std::uint64_t context = 0;  // no context is 0
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
    bool named = false;
    bool has(std::uint64_t in, std::uint64_t address) const { return in == context && address - begin < size; }
  };

  static std::uint64_t context_of(const Code& code, reader::CpuMode mode, bool return_address) {
    const CodeOwner owner{
        .maps = code.thread.maps, .kernel_maps = code.thread.kernel_maps, .code_version = code.version};
    return address_context(owner, {.mode = mode}, return_address);
  }
  Code code_at(const reader::ThreadState& thread, std::uint64_t time) const {
    return {.thread = thread, .version = versions_ == nullptr || versions_->only_one() ? 0 : versions_->at(time)};
  }
  Range& range_of_line(std::uint64_t context, std::uint64_t ip) {
    return ranges_of_lines_[((ip >> bits_of_line) + context * odd_1) & (ranges_of_lines_.size() - 1)];
  }
  Range& look_up_range(const Code& code, reader::CpuMode mode, std::uint64_t ip);
  Range range_at(const Code& code, reader::CpuMode mode, std::uint64_t ip);
  const symbolize::SymbolFile& file_of(std::uint32_t binary);
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
  std::size_t known_addresses_ = 0;
  // A line is some bytes of code, which nearly always belong to one function. Lines that lie side by side in the code
  // do so here, and each has a range of its own: the processor waits for memory once. Little code takes little memory.
  static constexpr unsigned bits_of_line = 4;
  static constexpr std::size_t first_lines = 1 << 8, most_lines = 1 << 14;
  std::vector<Range> ranges_of_lines_ = std::vector<Range>(first_lines);  // by the line and its context
  std::size_t looked_up_ = 0;                                             // ranges, since there are as many lines
  std::vector<const symbolize::SymbolFile*> files_;                       // by binary; nullptr: not looked up yet
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;              // by symbol, or by binary
};

}  // namespace perfsift::analysis
