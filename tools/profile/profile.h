// What is measured, by stack: the narrow waist between everything that is read and everything that is written.
//
// A recording, `perf script` text and folded text all become a Profile; every output is written from one. Stacks are
// kept as they were added, one list per thread that adds; equal ones are only joined when they are written, sorted.
#pragma once

#include <cstdint>
#include <list>
#include <memory_resource>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/large_vector.h"
#include "base/stable_vector.h"
#include "tools/profile/frame_table.h"

namespace perfsift::tools {

// Which measurement a stack belongs to, index into Profile::events(). Those of different events are never added.
using EventId = std::uint32_t;

// Stacks of one thread's making. Not thread-safe.
class StackList {
 public:
  // A stack in two parts, so that many can share the outer one; both are root first.
  struct Entry {
    std::span<const FrameId> outer, inner;
    EventId event = 0;
    std::uint64_t value = 0;

    std::size_t depth() const { return outer.size() + inner.size(); }
    template <typename Callback>
    void for_each_frame(Callback&& frame) const {
      for (const FrameId id : outer) frame(id);
      for (const FrameId id : inner) frame(id);
    }
  };

  // A stack, root first. Its frames may be in reused memory. One without frames has no line: nobody shows it.
  void add(EventId event, std::span<const FrameId> frames, std::uint64_t value);
  // The outer part is kept, by any list of this profile; the inner one may be in reused memory.
  void add(EventId event, std::span<const FrameId> outer, std::span<const FrameId> inner, std::uint64_t value);
  // Frames that live as long as the list.
  std::span<const FrameId> keep(std::span<const FrameId> frames);
  // Adds to a stack that is in the list.
  void increase(std::size_t entry, std::uint64_t value) { entries_[entry].value += value; }

  const StableVector<Entry>& entries() const { return entries_; }
  std::size_t total_frames() const { return total_frames_; }

 private:
  std::pmr::monotonic_buffer_resource frames_{huge_pages()};
  StableVector<Entry> entries_;
  std::size_t total_frames_ = 0;
};

class Profile {
 public:
  FrameTable& frames() { return frames_; }
  const FrameTable& frames() const { return frames_; }

  // Thread-safe. The list lives as long as the profile.
  StackList& new_list();
  const std::list<StackList>& lists() const { return lists_; }

  // The event of that name, new or known: the name becomes a frame, see foldable(), and [no event] where it is empty.
  // Thread-safe.
  EventId event(std::string_view name);
  const std::vector<std::string>& events() const { return events_; }
  // The events that have stacks.
  std::vector<EventId> events_with_stacks() const;

 private:
  std::mutex mutex_;
  FrameTable frames_;
  std::list<StackList> lists_;
  std::vector<std::string> events_;
};

}  // namespace perfsift::tools
