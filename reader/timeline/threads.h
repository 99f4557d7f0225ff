// Threads over time: whose they are, what they are called, and which address space they see.
//
// A thread is known by its tid. What a record says of it holds until another record says otherwise;
// a fork that reuses the tid starts it afresh. Threads of a process share its address space, which
// is a history of versions.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "reader/timeline.h"
#include "reader/timeline/history.h"
#include "reader/timeline/maps_tree.h"
#include "reader/timeline/names.h"

namespace perfsift::reader {

struct ThreadId {
  std::int32_t pid = -1;
  std::int32_t tid = -1;
};

class Threads {
 public:
  // Nobody needs to tell the name of the idle thread (machine__idle_thread()).
  explicit Threads(NameId idle_name);

  // A child with a copy of its parent's mappings, or, where `copies_maps` is false, with none.
  void fork(Moment moment, ThreadId child, ThreadId parent, bool copies_maps);
  void set_name(Moment moment, ThreadId id, NameId name);
  // The process starts a new program: nothing of the old one is mapped any more.
  void clear_maps(Moment moment, ThreadId id);

  // The process a mapping of that thread is made in, and its mappings now.
  struct Process {
    std::int32_t pid;
    MapsVersion maps;
  };
  Process process_of(Moment moment, ThreadId id);
  void set_maps(Moment moment, ThreadId id, MapsVersion maps);

  // What is known at a moment. `kernel_maps` is not: that is not the thread's.
  ThreadState at(ThreadId id, Moment moment) const;
  std::int32_t parent(std::int32_t pid, Moment moment) const;
  // In ascending order.
  std::vector<std::int32_t> ids() const;

 private:
  using SpaceId = std::uint32_t;
  struct Thread {
    std::int32_t pid = -1;
    NameId name = Names::none;
    SpaceId space = 0;
  };

  Thread find_or_add(Moment moment, ThreadId id);
  Thread add(Moment moment, ThreadId id);
  SpaceId space_of(Moment moment, ThreadId id);
  SpaceId add_space();
  History<Thread>::Answer answer(std::int32_t tid, Moment moment) const;
  MapsVersion latest_maps(SpaceId space) const;

  std::unordered_map<std::int32_t, History<Thread>> threads_;
  std::unordered_map<std::int32_t, History<std::int32_t>> parents_;  // by pid
  std::vector<History<MapsVersion>> spaces_;
  bool idle_is_recorded_ = false;
};

}  // namespace perfsift::reader
