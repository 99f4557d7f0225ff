// Threads over time: the process, name and address space of each thread.
//
// The tid identifies a thread. What a record says about a thread is valid until another record says otherwise; a fork
// that reuses the tid starts afresh. Threads of a process share its address space, which is a history of versions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "reader/timeline/history.h"
#include "reader/timeline/maps_tree.h"
#include "reader/timeline/names.h"
#include "reader/timeline/timeline.h"

namespace perfsift::reader {

struct ThreadId {
  std::int32_t pid = -1;
  std::int32_t tid = -1;
};

class Threads {
 public:
  // The idle thread has a name without any record (machine__idle_thread()). `early_names`: see TimelineRules.
  Threads(NameId idle_name, bool early_names);

  // The child gets a copy of its parent's mappings; no mappings where `copies_maps` is false.
  void fork(Moment moment, ThreadId child, ThreadId parent, bool copies_maps);
  void set_name(Moment moment, ThreadId id, NameId name);
  // The process starts a new program: from the program's first instruction on, no mapping of the old program is left.
  void exec(Moment moment, ThreadId id);

  // The process in which a mapping of that thread is made.
  std::int32_t process_of(Moment moment, ThreadId id);
  // Replaces the version of the thread's mappings by change(version). `last_of_exec`: the last mapping that execve()
  // makes.
  template <typename Change>
  void change_maps(Moment moment, ThreadId id, bool last_of_exec, Change&& change);

  // The state of a thread at a moment, without `kernel_maps`, which do not belong to a thread.
  ThreadState at(ThreadId id, Moment moment) const;
  std::int32_t parent(std::int32_t pid, Moment moment) const;
  // All ids in ascending order.
  std::vector<std::int32_t> ids() const;

 private:
  using SpaceId = std::uint32_t;
  struct Thread {
    std::int32_t pid = -1;
    NameId name = Names::none;
    SpaceId space = 0;
    std::uint32_t life = 0;  // index into lives_
  };
  // The life of a tid: from its first record or sample, or from a fork, to the next fork of that tid.
  struct Life {
    NameId first_name = Names::none;
    bool is_forked = false;
  };

  // From the record of an exec to the first instruction of the new program the thread is inside execve(). Until then
  // the user registers are those with which the old program called execve() (start_thread() overwrites them at the end
  // of load_elf_binary()), and samples of the kernel have these registers for the user part. So until the end of
  // execve() the old program's mappings stay visible wherever the new program has mapped nothing. No record marks the
  // end of execve(), so it is the earliest of
  //   - the first mapping after the mapping of the vDSO: the vDSO is execve()'s last, so the program made that one;
  //   - `after_vdso` after the mapping of the vDSO, which leaves time to fill the new stack;
  //   - `longest_exec` after the exec, which leaves time to read the program from a disk.
  // So an address that the new program never mapped gets no name of the old program. Where records have no times, the
  // old mappings go at once.
  static constexpr std::uint64_t after_vdso = 1'000'000;      // nanoseconds
  static constexpr std::uint64_t longest_exec = 100'000'000;  // nanoseconds

  struct Space {
    History<MapsVersion> maps;  // the latest version, valid from `exec_end` on, is without the old program's mappings
    MapsVersion in_exec = MapsTree::empty;  // the version before `exec_end`, with the old program's mappings
    Moment exec_end;
    bool exec_is_mapped = false;  // the vDSO has been mapped
  };

  Thread find_or_add(Moment moment, ThreadId id);
  Thread add(Moment moment, ThreadId id);
  SpaceId space_of(Moment moment, ThreadId id);
  SpaceId add_space();
  NameId name_of(const Thread& thread) const;
  std::uint32_t life_before_records(std::int32_t tid) const;
  History<Thread>::Answer answer(std::int32_t tid, Moment moment) const;
  static MapsVersion latest_maps(const Space& space);

  std::unordered_map<std::int32_t, History<Thread>> threads_;
  std::unordered_map<std::int32_t, History<std::int32_t>> parents_;  // by pid
  std::vector<Space> spaces_;
  std::vector<Life> lives_{1};  // 0: of threads without a record, which have no name
  const bool early_names_;
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
