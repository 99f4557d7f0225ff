// Threads over time: whose they are, what they are called, and which address space they see.
//
// A thread is known by its tid. What a record says of it holds until another record says otherwise;
// a fork that reuses the tid starts it afresh. Threads of a process share its address space, which
// is a history of versions.
#pragma once

#include <algorithm>
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
  // The process starts a new program: nothing of the old one is mapped any more when that begins to run.
  void exec(Moment moment, ThreadId id);

  // The process a mapping of that thread is made in.
  std::int32_t process_of(Moment moment, ThreadId id);
  // Changes its mappings by change(MapsVersion), which gives another version. `last_of_exec`: no mapping that execve()
  // makes comes after this one.
  template <typename Change>
  void change_maps(Moment moment, ThreadId id, bool last_of_exec, Change&& change);

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

  // From the record of an exec to the first instruction of the new program the thread is still inside execve(): its
  // user registers are those with which the old program called it, and are what samples of the kernel have for the
  // user's part (start_thread() overwrites them at the end of load_elf_binary()). Until then the old program's mappings
  // stay visible where the new one's leave room. No record tells that end, so it is
  //  - the first mapping after that of the vDSO, which is the last one that execve() makes: the program made that one;
  //  - at the latest `after_vdso` after the vDSO, which leaves time to fill the new stack;
  //  - without one `longest_exec` after the exec, which leaves time to read the program from a disk.
  // So an address that the new program never mapped gets no name of the old one's. Where records have no times the old
  // mappings go at once.
  static constexpr std::uint64_t after_vdso = 1'000'000;      // nanoseconds
  static constexpr std::uint64_t longest_exec = 100'000'000;  // nanoseconds

  struct Space {
    History<MapsVersion> maps;              // the latest one is, once `exec_end` has come, without the old program's
    MapsVersion in_exec = MapsTree::empty;  // before: with them
    Moment exec_end;
    bool exec_is_mapped = false;  // the vDSO has come
  };

  Thread find_or_add(Moment moment, ThreadId id);
  Thread add(Moment moment, ThreadId id);
  SpaceId space_of(Moment moment, ThreadId id);
  SpaceId add_space();
  History<Thread>::Answer answer(std::int32_t tid, Moment moment) const;
  static MapsVersion latest_maps(const Space& space);

  std::unordered_map<std::int32_t, History<Thread>> threads_;
  std::unordered_map<std::int32_t, History<std::int32_t>> parents_;  // by pid
  std::vector<Space> spaces_;
  bool idle_is_recorded_ = false;
};

template <typename Change>
void Threads::change_maps(Moment moment, ThreadId id, bool last_of_exec, Change&& change) {
  Space& space = spaces_[find_or_add(moment, id).space];
  const MapsVersion maps = change(latest_maps(space));
  if (moment >= space.exec_end || space.exec_is_mapped) {
    space.exec_end = {};
    space.maps.set(moment, maps);
    return;
  }
  if (last_of_exec) {
    space.exec_is_mapped = true;
    space.exec_end = std::min(space.exec_end, Moment{.time = moment.time + after_vdso});
  }
  space.in_exec = change(space.in_exec);
  space.maps.set(moment, space.in_exec);
  space.maps.set(space.exec_end, maps);
}

}  // namespace perfsift::reader
