// Where the stacks of a recording end before their threads' starts, and why.
//
// Stacks that were unwound bring the reason with them. Callchains that the kernel or the processor recorded do not:
// that they are whole is estimated by their outermost user frame, which is then in a function that threads start with
// (_start, clone, start_thread, runtime.goexit, …), at the entry point of a file, or what has called main().
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "analysis/profile/callchain_table.h"
#include "analysis/profile/quality.h"
#include "analysis/samples/stack_tail.h"
#include "base/hash.h"
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

// Samples, by the index of their stack's end.
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
    std::optional<Frame> before;     // what it has called
    bool user_part_missing = false;  // only a marker says that there was one
  };
  // `first`: what the first words are, as in for_each_part().
  static LastFrames last_frames(reader::Words words, const reader::CallchainPart& first);

  // A number of the stack's end, for EndCounts; 0: the stack is whole.
  std::uint32_t of(reader::MapsVersion maps, StackTail tail, const LastFrames& frames);

  // Fills `quality` from counts of all threads; once they are done.
  void count(const EndCounts& counts, Quality& quality) const;

 private:
  struct Hash {
    std::size_t operator()(std::uint32_t binary) const { return spread(binary); }
  };

  EndPlace place_of(reader::MapsVersion maps, StackTail tail, const LastFrames& frames);
  StackTail estimate(const CodeAddress& last, const std::optional<CodeAddress>& before, StackTail otherwise);
  const symbolize::SymbolFile* file_of(const CodeAddress& address);
  const symbolize::Symbol* symbol_at(const CodeAddress& address);
  std::uint32_t intern(const EndPlace& place);

  const reader::Timeline& timeline_;
  symbolize::Symbolizer& symbolizer_;
  SharedMap<std::uint32_t, const symbolize::SymbolFile*, Hash> files_;  // by binary
  std::mutex mutex_;                                                    // of what follows
  std::vector<EndPlace> places_{1};
  std::map<EndPlace, std::uint32_t> numbers_;  // by place; of places_, but for the first
};

// One thread's hands on it: remembers the ends it met. Not thread-safe.
class StackEndFinder {
 public:
  explicit StackEndFinder(StackEnds& ends) : ends_(ends) {}

  // Of the stack that has these words after its leaf, or with it. `first`: see StackEnds::last_frames().
  std::uint32_t of(const CallchainOwner& owner, reader::Words words, const reader::CallchainPart& first);
  // Of a whole callchain.
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

  StackEnds& ends_;
  std::array<RecentEnd, 256> recent_;  // by the last address
};

}  // namespace perfsift::analysis
