// The measured values by stack: the common form between all inputs and all outputs.
//
// A recording, `perf script` text and folded text all become a Profile; every output is written from a Profile. Stacks
// are kept as they were added, in one list per adding thread; equal stacks are joined only when they are written,
// sorted.
#pragma once

#include <cstdint>
#include <deque>
#include <memory_resource>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/samples/frame_table.h"
#include "base/large_vector.h"
#include "base/stable_vector.h"

namespace perfsift::analysis {

// The measurement of a stack, as an index into Profile::events(). Values of different events are never added.
using EventId = std::uint32_t;

// All frames of a stack except its leaf, root first. Many stacks share the same callers.
struct Callers {
  std::span<const FrameId> frames;
  EventId event = 0;
};

// Identifies callers in a profile: the list, and the index in this list.
struct CallersId {
  std::uint32_t list = 0;
  std::uint32_t index = 0;
};

// The stacks that one thread adds. Not thread-safe.
class StackList {
 public:
  struct Entry {
    CallersId callers;
    FrameId leaf = 0;
    std::uint64_t value = 0;
  };

  explicit StackList(std::uint32_t number) : number_(number) {}

  // Adds a stack, root first. `frames` are copied.
  void add(EventId event, std::span<const FrameId> frames, std::uint64_t value);
  // Adds a stack on callers of any list of this profile.
  void add(CallersId callers, FrameId leaf, std::uint64_t value);
  // Adds callers. `frames` are copied.
  CallersId add_callers(EventId event, std::span<const FrameId> frames);
  // Adds to the value of a stack in the list.
  void increase(std::size_t entry, std::uint64_t value) { entries_[entry].value += value; }
  // A stack without frames cannot be shown: only its value is kept.
  void add_frameless(std::uint64_t value) { frameless_value_ += value; }

  const StableVector<Callers>& callers() const { return callers_; }
  const StableVector<Entry>& entries() const { return entries_; }
  std::uint64_t frameless_value() const { return frameless_value_; }

 private:
  const std::uint32_t number_;  // in the profile
  std::pmr::monotonic_buffer_resource frames_{huge_pages()};
  StableVector<Callers> callers_;
  StableVector<Entry> entries_;
  std::uint64_t frameless_value_ = 0;
};

class Profile {
 public:
  FrameTable& frames() { return frames_; }
  const FrameTable& frames() const { return frames_; }

  // Thread-safe. The list lives as long as the profile.
  StackList& new_list();
  const std::deque<StackList>& lists() const { return lists_; }
  // Must not be called while another thread adds a list.
  const Callers& callers(CallersId id) const { return lists_[id.list].callers()[id.index]; }
  // Overwrites `frames` with the frames of a stack, root first.
  void get_frames(const StackList::Entry& stack, std::vector<FrameId>& frames) const;

  // The event of that name, added if new. The name becomes a frame: see foldable(); an empty name becomes [no event].
  // Thread-safe.
  EventId event(std::string_view name);
  const std::vector<std::string>& events() const { return events_; }
  // The events that have stacks.
  std::vector<EventId> events_with_stacks() const;

 private:
  std::mutex mutex_;
  FrameTable frames_;
  std::deque<StackList> lists_;  // the lists keep their addresses
  std::vector<std::string> events_;
};

}  // namespace perfsift::analysis
