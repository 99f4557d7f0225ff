// The measured values by stack: the form between all inputs and all outputs.
//
// Recordings, `perf script` text and folded text become a Profile, and every output is written from a Profile. Each
// adding thread has a list, which keeps stacks as they were added. Equal stacks are joined when they are sorted and
// written.
#pragma once

#include <cstdint>
#include <deque>
#include <memory_resource>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/profile/amount.h"
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
    Amount amount;
  };

  explicit StackList(std::uint32_t number) : number_(number) {}

  // Adds a stack, root first. `frames` are copied.
  void add(EventId event, std::span<const FrameId> frames, const Amount& amount);
  // Adds a stack on callers of any list of this profile.
  void add(CallersId callers, FrameId leaf, const Amount& amount);
  // Adds callers. `frames` are copied.
  CallersId add_callers(EventId event, std::span<const FrameId> frames);
  // Replaces the callers and the leaf of a stack in the list.
  void change(std::size_t entry, CallersId callers, FrameId leaf) {
    entries_[entry].callers = callers;
    entries_[entry].leaf = leaf;
  }
  // Increases the amount of a stack in the list.
  void increase(std::size_t entry, const Amount& amount) { entries_[entry].amount += amount; }
  // Sets the number of samples of each stack to its value divided by `weight`, rounded. A value counts as at least one
  // sample.
  void set_samples(std::uint64_t weight);
  // Removes the stacks for which wanted(entry) is false. The indices of the other stacks change.
  template <typename Wanted>
  void keep(Wanted&& wanted) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (wanted(entries_[i])) entries_[kept++] = entries_[i];
    }
    while (entries_.size() > kept) entries_.pop_back();
  }
  // Removes all stacks and their callers. Entries and CallersId of the list become invalid.
  void clear();
  // Adds the amount of a stack without frames. Such a stack cannot be shown, so only its amount is kept.
  void add_frameless(const Amount& amount) { frameless_ += amount; }
  void clear_frameless() { frameless_ = {}; }

  // The number of the list in the profile.
  std::uint32_t number() const { return number_; }
  const StableVector<Callers>& callers() const { return callers_; }
  const StableVector<Entry>& entries() const { return entries_; }
  const Amount& frameless() const { return frameless_; }

 private:
  const std::uint32_t number_;
  std::pmr::monotonic_buffer_resource frames_{huge_pages()};
  StableVector<Callers> callers_;
  StableVector<Entry> entries_;
  Amount frameless_;
};

// The unit and names of an event's values, where a pprof profile says more than that the values count events.
struct EventType {
  std::string unit;  // "bytes"; empty: no unit, or not known
  // The names of both sample types, such as "alloc_objects" and "alloc_space". Without a count, there is only a value.
  // Empty: pprof::sample_suffix and event_suffix make the names from the event's name.
  std::string count, value;
  bool operator==(const EventType&) const = default;
};

// The event of inputs that do not name events.
inline constexpr const char* no_event = "[no event]";

// Whether the event is a software clock, with or without modifiers: its periods are nanoseconds.
inline bool is_clock(std::string_view event) {
  const std::string_view name = event.substr(0, event.find(':'));
  return name == "cpu-clock" || name == "task-clock";
}

class Profile {
 public:
  FrameTable& frames() { return frames_; }
  const FrameTable& frames() const { return frames_; }

  // Adds a list. Thread-safe. The list lives as long as the profile.
  StackList& new_list();
  const std::deque<StackList>& lists() const { return lists_; }
  StackList& list(std::size_t number) { return lists_[number]; }
  // Calls StackList::set_samples() for all lists.
  void set_samples(std::uint64_t weight);
  // Must not be called while another thread adds a list.
  const Callers& callers(CallersId id) const { return lists_[id.list].callers()[id.index]; }
  // Stacks are numbered through all lists, in the order of the lists. first_stack() is the number of a list's first
  // stack, and final once all earlier lists are complete. The number of all stacks is final once all lists are
  // complete.
  std::uint32_t first_stack(std::size_t list) const;
  std::uint32_t stack_count() const { return first_stack(lists_.size()); }
  // All stacks by number. All lists must be complete. The pointers live as long as the profile.
  std::vector<const StackList::Entry*> stacks() const;
  // Overwrites `frames` with the frames of a stack, root first.
  void get_frames(const StackList::Entry& stack, std::vector<FrameId>& frames) const;

  // The event with that name, which is added if it is new. The name becomes a frame: see foldable(). An empty name
  // becomes no_event. Where inputs give different names to the sample types of an event, only the unit is kept.
  // Thread-safe.
  EventId event(std::string_view name, const EventType& type = {});
  // The event of this profile that equals `event_of_other` of another profile. Thread-safe.
  EventId event_from(const Profile& other, EventId event_of_other) {
    return event(other.events_[event_of_other], other.event_types_[event_of_other]);
  }
  const std::vector<std::string>& events() const { return events_; }
  const EventType& event_type(EventId event) const { return event_types_[event]; }
  // Whether the values of the event are nanoseconds, which are the periods of software clocks.
  bool is_in_nanoseconds(EventId event) const {
    return event_types_[event].unit == "nanoseconds" || is_clock(events_[event]);
  }
  // The name of an event as a frame of stacks.
  FrameId event_frame(EventId event) const { return event_frames_[event]; }
  // The events that have stacks.
  std::vector<EventId> events_with_stacks() const;
  // Removes the stacks of other events, and the amounts without frames, because their event is unknown. The numbers of
  // stacks change.
  void keep_events(std::span<const EventId> events);

 private:
  std::mutex mutex_;
  FrameTable frames_;
  std::deque<StackList> lists_;  // the lists keep their addresses
  std::vector<std::string> events_;
  std::vector<EventType> event_types_;
  std::vector<FrameId> event_frames_;
};

}  // namespace perfsift::analysis
