// Assembles the frames of one sample into the stack that is counted, in the same way for every kind of input.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/samples/frame_table.h"
#include "filter/kernel_context.h"

namespace perfsift::analysis {

// Which parts of a stack are kept.
enum class StackPart : std::uint8_t { all, kernel_only, user_only };

// Which recursion is taken out of stacks, once all are complete: see collapse_recursion().
enum class Recursion : std::uint8_t {
  kept,
  direct,  // calls of a function by itself
  cycles,  // and what a function calls until it is called again
};

// Samples that were left out because they were taken in an interrupt, and of how many. Without the option, nothing is
// counted.
struct InterruptCounts {
  std::uint64_t left_out = 0, of = 0;

  InterruptCounts& operator+=(const InterruptCounts& more) {
    left_out += more.left_out;
    of += more.of;
    return *this;
  }
};

// How samples that were taken in an interrupt are shown: see filter::StackContext::is_interrupt().
enum class Interrupts : std::uint8_t {
  keep,   // their frames stand on those of the program
  apart,  // a frame of their own stands for the program: see InterruptFrames
  drop,   // they are left out
};

struct StackShape {
  StackPart part = StackPart::all;
  Interrupts interrupts = Interrupts::keep;
  std::size_t max_depth = 0;  // frames kept, counted from the root, without thread and control group; 0: all
  Recursion recursion = Recursion::kept;
  std::optional<std::string> delimiter;  // a frame between the user and the kernel part of a stack with both
  bool operator==(const StackShape&) const = default;
};

// The frames that stand for the program below what an interrupt did: "[interrupt]", "[softirq]", "[nmi]", in the place
// of the thread's name.
class InterruptFrames {
 public:
  static constexpr std::string_view texts[] = {"[interrupt]", "[softirq]", "[nmi]"};

  InterruptFrames(FrameTable& frames, FrameDetail detail) {
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      const bool plain = detail == FrameDetail::text;
      frames_[i] = plain ? frames.intern(texts[i]) : frames.intern(texts[i], {.kind = FrameKind::thread});
    }
  }
  // `context`: of an interrupt.
  FrameId of(filter::Context context) const {
    return frames_[static_cast<std::size_t>(context) - static_cast<std::size_t>(filter::Context::interrupt)];
  }

 private:
  std::array<FrameId, std::size(texts)> frames_{};
};

// Not thread-safe.
class StackBuilder {
 public:
  // `detail`: of the frames that the caller adds.
  StackBuilder(const StackShape& shape, FrameTable& frames, FrameDetail detail = FrameDetail::text) : shape_(shape) {
    // Recursion is taken out before stacks are cut.
    if (shape.recursion != Recursion::kept) shape_.max_depth = 0;
    if (shape.delimiter) delimiter_ = frames.intern(foldable(*shape.delimiter));
    if (shape.interrupts == Interrupts::apart) interrupts_.emplace(frames, detail);
  }

  // Starts a new stack. `kernel`: the frames before the first added frame were kernel frames.
  void begin(bool kernel = false) {
    frames_.clear();
    entries_.clear();
    interrupt_.reset();
    any_kernel_ = kernel;
  }

  bool wants(bool kernel) const {
    return shape_.part == StackPart::all || (shape_.part == StackPart::kernel_only) == kernel;
  }

  // Adds the next frames, from the leaf to the root. The caller adds only frames for which wants() is true.
  void add(std::span<const FrameId> frames, bool kernel) {
    if (delimiter_ && any_kernel_ && !kernel) frames_.push_back(*delimiter_);
    any_kernel_ = kernel;
    frames_.insert(frames_.end(), frames.begin(), frames.end());
  }
  void add(FrameId frame, bool kernel) { add({&frame, 1}, kernel); }

  // The kernel was entered by the frame that was added last, or, where the kernel's part is not wanted, would have
  // been.
  void enter(filter::KernelEntry entry) {
    if (entry != filter::KernelEntry::none) entries_.push_back({.frames = frames_.size(), .entry = entry});
  }
  bool needs_entries() const { return shape_.interrupts != Interrupts::keep; }
  // Once all frames have been added, before the questions below. The option about interrupts then applies.
  filter::StackContext end() {
    filter::StackContext context;
    std::size_t of_interrupt = 0;
    for (auto each = entries_.rbegin(); each != entries_.rend(); ++each) {
      const bool known = context.is_interrupt();
      context.enter(each->entry);
      if (!known) of_interrupt = each->frames;
    }
    if (!context.is_interrupt()) return context;
    interrupt_ = context.context();
    if (interrupts_) frames_.resize(of_interrupt);
    return context;
  }

  // Whether the sample is to be left out: only one part is kept and the sample has no frames of this part, or it was
  // taken in an interrupt.
  bool unwanted() const { return interrupt_ ? drops_interrupt() : frames_.empty() && shape_.part != StackPart::all; }
  bool drops_interrupt() const { return interrupt_ && shape_.interrupts == Interrupts::drop; }

  // How many more frames fit at the leaf end.
  std::uint32_t room() const {
    if (shape_.max_depth == 0) return std::numeric_limits<std::uint32_t>::max();
    return static_cast<std::uint32_t>(shape_.max_depth - std::min(shape_.max_depth, frames_.size()));
  }

  // The stack, root first. The control group and the thread's name, if given, are the outermost frames. Valid until
  // begin().
  std::span<const FrameId> finish(std::optional<FrameId> comm, std::optional<FrameId> cgroup = std::nullopt) {
    if (shape_.max_depth != 0 && frames_.size() > shape_.max_depth) {
      frames_.erase(frames_.begin(), frames_.end() - static_cast<std::ptrdiff_t>(shape_.max_depth));
    }
    if (interrupt_ && interrupts_) {
      frames_.push_back(interrupts_->of(*interrupt_));
    } else {
      if (comm) frames_.push_back(*comm);
      if (cgroup) frames_.push_back(*cgroup);
    }
    std::ranges::reverse(frames_);
    return frames_;
  }

 private:
  struct Entry {
    std::size_t frames = 0;  // so many were added up to the entry
    filter::KernelEntry entry = filter::KernelEntry::none;
  };

  StackShape shape_;
  std::optional<FrameId> delimiter_;
  std::optional<InterruptFrames> interrupts_;  // if they are kept apart
  std::vector<FrameId> frames_;
  std::vector<Entry> entries_;                // from the leaf to the root
  std::optional<filter::Context> interrupt_;  // in which the sample was taken; after end()
  bool any_kernel_ = false;                   // the last added frame was a kernel frame
};

}  // namespace perfsift::analysis
