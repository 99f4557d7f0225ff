// What is measured, by stack: the narrow waist between everything that is read and everything that is written.
//
// A recording, `perf script` text and folded text all become a Profile; every output is written from one. Stacks are
// kept as they were added, one list per thread that adds; equal ones are only joined when they are written, sorted.
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

// Which measurement a stack belongs to, index into Profile::events(). Those of different events are never added.
using EventId = std::uint32_t;

// All frames of a stack but its leaf, root first. Many stacks share them.
struct Callers {
  std::span<const FrameId> frames;
  EventId event = 0;
};

// Which callers of a profile: of which list, and which of its.
struct CallersId {
  std::uint32_t list = 0;
  std::uint32_t index = 0;
};

// Stacks of one thread's making. Not thread-safe.
class StackList {
 public:
  struct Entry {
    CallersId callers;
    FrameId leaf = 0;
    std::uint64_t value = 0;
  };

  explicit StackList(std::uint32_t number) : number_(number) {}

  // A stack, root first. Its frames may be in reused memory.
  void add(EventId event, std::span<const FrameId> frames, std::uint64_t value);
  // A stack on callers of any list of this profile.
  void add(CallersId callers, FrameId leaf, std::uint64_t value);
  // Their frames may be in reused memory.
  CallersId add_callers(EventId event, std::span<const FrameId> frames);
  // Adds to a stack that is in the list.
  void increase(std::size_t entry, std::uint64_t value) { entries_[entry].value += value; }
  // A stack without frames is nobody's to show: only its value is kept.
  void add_frameless(std::uint64_t value) { frameless_value_ += value; }

  const StableVector<Callers>& callers() const { return callers_; }
  const StableVector<Entry>& entries() const { return entries_; }
  std::uint64_t frameless_value() const { return frameless_value_; }

 private:
  const std::uint32_t number_;  // which of the profile's
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
  // While no list is added.
  const Callers& callers(CallersId id) const { return lists_[id.list].callers()[id.index]; }
  // The frames of a stack, root first, in the place of what `frames` held.
  void get_frames(const StackList::Entry& stack, std::vector<FrameId>& frames) const;

  // The event of that name, new or known: the name becomes a frame, see foldable(), and [no event] where it is empty.
  // Thread-safe.
  EventId event(std::string_view name);
  const std::vector<std::string>& events() const { return events_; }
  // The events that have stacks.
  std::vector<EventId> events_with_stacks() const;

 private:
  std::mutex mutex_;
  FrameTable frames_;
  std::deque<StackList> lists_;  // they stay where they are
  std::vector<std::string> events_;
};

}  // namespace perfsift::analysis
