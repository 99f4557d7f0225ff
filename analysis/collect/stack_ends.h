// Finds where the stacks of a recording end before the start of their thread, and why.
//
// Unwound stacks come with the reason. Callchains of the kernel or the processor come without a reason. Such a
// callchain is estimated to be complete if one of its user frames is in a function with which threads start (_start,
// clone, start_thread, runtime.goexit, …: see thread_starts.h), at the entry point of a file, or the caller of main().
// Where a thread starts, the frame pointer register has an arbitrary value, so the callchain may go on with frames that
// are no callers.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "analysis/collect/callchain_table.h"
#include "analysis/collect/thread_starts.h"
#include "analysis/profile/quality.h"
#include "analysis/samples/code_facts.h"
#include "analysis/samples/stack_tail.h"
#include "base/hash.h"
#include "base/recent_map.h"
#include "base/shared_map.h"
#include "reader/callchain.h"
#include "reader/timeline/timeline.h"
#include "symbolize/symbolizer.h"

namespace perfsift::analysis {

// The end of a stack: the reason, and the binary of the last frame.
struct EndPlace {
  std::uint32_t binary = CodeAddress::no_binary;
  StackTail tail = StackTail::complete;
  auto operator<=>(const EndPlace&) const = default;
};

// Numbers of samples, by the number of their stack's end.
class EndCounts {
 public:
  void add(std::uint32_t end, std::uint64_t samples) {
    if (end == 0) return;
    if (counts_.size() <= end) counts_.resize(end + 1);
    counts_[end] += samples;
  }
  void add(const EndCounts& other) {
    for (std::uint32_t i = 1; i < other.counts_.size(); ++i) add(i, other.counts_[i]);
  }
  const std::vector<std::uint64_t>& all() const { return counts_; }

 private:
  std::vector<std::uint64_t> counts_;
};

// Thread-safe.
class StackEnds {
 public:
  StackEnds(const reader::Timeline& timeline, symbolize::Symbolizer& symbolizer)
      : timeline_(timeline), symbolizer_(symbolizer) {}

  // The last two user frames of a stack.
  struct LastFrames {
    struct Frame {
      std::uint64_t ip = 0;
      bool return_address = false;
      bool operator==(const Frame&) const = default;
    };
    std::optional<Frame> last;
    std::optional<Frame> before;     // the callee of `last`
    bool user_part_missing = false;  // the user part consists of its marker only
  };
  // `first`: the kind of the first words, as in for_each_part().
  static LastFrames last_frames(reader::Words words, const reader::CallchainPart& first);

  // The number of the stack's end for EndCounts, from its last frames. 0: the stack is complete.
  std::uint32_t of(reader::MapsVersion maps, StackTail tail, const LastFrames& frames);
  // The number of the end of a complete stack with further frames behind the start of its thread.
  std::uint32_t beyond_start() { return intern({.tail = StackTail::beyond_start}); }

  // What the function at an address says about the start of a thread.
  struct StartSign {
    bool starts = false;
    bool named = false;
    ThreadBody body = ThreadBody::none;
  };
  CodeAddress address_of(reader::MapsVersion maps, const LastFrames::Frame& frame) const;
  StartSign sign_of(const CodeAddress& address);
  // Whether a thread starts in a frame that called `called`.
  bool starts(const StartSign& sign, ThreadBody called, const CodeAddress& at) const;

  // Adds the counts of all threads to `quality`. The threads must have ended.
  void count(const EndCounts& counts, Quality& quality) const;

 private:
  struct Hash {
    std::size_t operator()(std::uint32_t binary) const { return spread(binary); }
  };

  EndPlace place_of(reader::MapsVersion maps, StackTail tail, const LastFrames& frames);
  StackTail estimate(const CodeAddress& last, const std::optional<CodeAddress>& before, StackTail otherwise);
  const symbolize::SymbolFile* file_of(const CodeAddress& address);
  std::uint32_t intern(const EndPlace& place);
  bool lacks_file(std::uint32_t binary) const;

  const reader::Timeline& timeline_;
  symbolize::Symbolizer& symbolizer_;
  SharedMap<std::uint32_t, const symbolize::SymbolFile*, Hash> files_;  // by index of the binary
  std::mutex mutex_;                                                    // guards the members below
  std::vector<EndPlace> places_{1};
  std::map<EndPlace, std::uint32_t> numbers_;  // indices into places_, whose index 0 is not used
};

// One thread's access to StackEnds, with a cache of recent ends. Not thread-safe.
class StackEndFinder {
 public:
  explicit StackEndFinder(StackEnds& ends) : ends_(ends) {}

  // The number of the end of the stack with these words, with or without the leaf. `first`: see
  // StackEnds::last_frames().
  std::uint32_t of(const CallchainOwner& owner, reader::Words words, const reader::CallchainPart& first);
  // The number of the end of a whole callchain.
  std::uint32_t of(const CallchainOwner& owner, reader::Words words) {
    return of(owner, words, {.mode = static_cast<reader::CpuMode>(owner.mode), .starts_a_call = true});
  }

 private:
  struct RecentEnd {
    reader::MapsVersion maps = 0;
    StackTail tail = StackTail::complete;
    std::optional<StackEnds::LastFrames::Frame> last, before;
    std::uint32_t end = 0;
  };

  struct KnownFrame {
    StackEnds::StartSign sign;
    CodeAddress at;
  };

  // Whether a thread starts in a user frame of the stack.
  bool passes_start(reader::MapsVersion maps, reader::Words words, const reader::CallchainPart& first);

  StackEnds& ends_;
  std::array<RecentEnd, 256> recent_;  // by the last address
  RecentMap<CodeFacts::LocationKey, KnownFrame, CodeFacts::LocationHash, 256> frames_;
};

}  // namespace perfsift::analysis
