// The stacks of a recording's samples, numbered once, for many filters that ask the same recording.
//
// A filter that looks at stacks needs one answer for each distinct frame, and for each distinct stack. To find the
// number of a sample's stack takes most of the time: the words of all stacks are read, which are most of the recording.
// An index keeps the number of each sample, and the frames of each stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "analysis/samples/code_facts.h"
#include "base/large_vector.h"
#include "reader/recording.h"
#include "symbolize/symbolizer.h"

namespace perfsift::analysis {

// Immutable, so thread-safe.
class StackIndex {
 public:
  struct Limits {
    std::size_t max_frames = 127;                 // of an unwound stack
    std::size_t memory = std::size_t{256} << 20;  // bytes for the frames of all stacks
  };
  // `recording`: no stream. `check` is called now and then, by all threads, and may throw to end the work. Nothing if
  // the stacks are too many for the limits or for their numbers.
  static std::optional<StackIndex> build(reader::Recording& recording, symbolize::Symbolizer& symbolizer,
                                         const Limits& limits, unsigned threads, const std::function<void()>& check);

  // A place in the order of the positions.
  using Hint = std::size_t;
  // The number of the stack of the sample whose record is at `position`: see filter::SampleFacts::stack_number(). Fast
  // for positions shortly behind the last one asked with this hint. Nothing if there is no such sample.
  std::optional<std::uint32_t> stack_of(std::uint64_t position, Hint& hint) const;
  // Numbers for the frames of a stack, leaf first: see filter::SampleFacts::frame_numbers().
  std::span<const std::uint32_t> frames(std::uint32_t stack) const {
    return std::span(frames_).subspan(begins_[stack], begins_[stack + 1] - begins_[stack]);
  }
  // The number of all stacks.
  std::uint32_t size() const { return static_cast<std::uint32_t>(begins_.size() - 1); }

 private:
  class Worker;
  class Joiner;
  struct NumberedSample {
    std::uint64_t position = 0;
    std::uint32_t stack = 0;
  };
  static constexpr std::uint32_t no_stack = ~std::uint32_t{0};

  StackIndex() = default;
  void set_samples(const LargeVector<NumberedSample>& samples);

  LargeVector<std::uint64_t> positions_;  // ascending
  LargeVector<std::uint32_t> stacks_;     // by place in positions_; no_stack: several samples, with different stacks
  LargeVector<std::size_t> begins_{0};    // by stack: its first one of frames_; and the end
  LargeVector<std::uint32_t> frames_;
};

}  // namespace perfsift::analysis
