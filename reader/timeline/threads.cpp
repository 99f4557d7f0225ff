#include "reader/timeline/threads.h"

#include <algorithm>

namespace perfsift::reader {
namespace {

constexpr std::int32_t unknown = -1;

bool has_own_space(ThreadId id) { return id.pid == id.tid || id.pid == unknown; }

}  // namespace

Threads::Threads(NameId idle_name, bool early_names) : early_names_(early_names) {
  threads_[0].set({}, {.pid = 0, .name = idle_name, .space = add_space()});
}

// machine__process_fork_event() and thread__fork() of perf.
void Threads::fork(Moment moment, ThreadId child_id, ThreadId parent_id, bool copies_maps) {
  Thread parent = find_or_add(moment, parent_id);
  // The thread with that tid is an older thread: the fork that made the parent was lost.
  if (parent.pid != parent_id.pid) parent = add(moment, parent_id);

  Thread child = add(moment, child_id);
  child.name = parent.name;
  lives_[child.life] = {.first_name = parent.name, .is_forked = true};
  threads_[child_id.tid].set(moment, child);
  if (child.pid == parent.pid) return;

  parents_[child.pid].set(moment, parent.pid);
  const bool has_no_maps = latest_maps(spaces_[child.space]) == MapsTree::empty;
  if (copies_maps && has_no_maps) spaces_[child.space].maps.set(moment, latest_maps(spaces_[parent.space]));
}

void Threads::set_name(Moment moment, ThreadId id, NameId name) {
  Thread thread = find_or_add(moment, id);
  thread.name = name;
  Life& life = lives_[thread.life];
  if (life.first_name == Names::none) life.first_name = name;
  threads_[id.tid].set(moment, thread);
}

void Threads::exec(Moment moment, ThreadId id) {
  Space& space = spaces_[find_or_add(moment, id).space];
  space.in_exec = latest_maps(space);
  space.exec_is_mapped = false;
  const bool has_time = moment.time != 0 && moment.time < no_time - longest_exec - after_vdso;
  space.exec_end = has_time ? Moment{.time = moment.time + longest_exec} : moment;
  space.maps.set(moment, space.in_exec);
  space.maps.set(space.exec_end, MapsTree::empty);
}

std::int32_t Threads::process_of(Moment moment, ThreadId id) { return find_or_add(moment, id).pid; }

ThreadState Threads::at(ThreadId id, Moment moment) const {
  auto [known, period] = answer(id.tid, moment);
  Thread thread = known != nullptr ? *known : Thread{.life = life_before_records(id.tid)};
  if (thread.pid == unknown && id.pid != unknown) {
    thread.pid = id.pid;
    // A thread without any record sees the mappings of its process.
    if (id.pid != id.tid) {
      const auto leader = answer(id.pid, moment);
      thread.space = leader.value != nullptr ? leader.value->space : 0;
      period = period & leader.period;
    }
  }
  const auto maps = spaces_[thread.space].maps.at(moment);
  period = period & maps.period;
  return {.pid = thread.pid,
          .comm = name_of(thread),
          .maps = maps.value != nullptr ? *maps.value : MapsTree::empty,
          .from = period.from,
          .until = period.until};
}

// thread__set_comm(): the first name that perf learns replaces ":TID" in all samples before it, too.
NameId Threads::name_of(const Thread& thread) const {
  return thread.name != Names::none || !early_names_ ? thread.name : lives_[thread.life].first_name;
}

// A fork makes a new thread, even if samples of that tid came before (machine__process_fork_event()).
std::uint32_t Threads::life_before_records(std::int32_t tid) const {
  const auto found = threads_.find(tid);
  if (found == threads_.end() || found->second.empty()) return 0;
  const std::uint32_t life = found->second.first().life;
  return lives_[life].is_forked ? 0 : life;
}

std::int32_t Threads::parent(std::int32_t pid, Moment moment) const {
  const auto found = parents_.find(pid);
  if (found == parents_.end()) return unknown;
  const auto parent = found->second.at(moment);
  return parent.value != nullptr ? *parent.value : unknown;
}

std::vector<std::int32_t> Threads::ids() const {
  std::vector<std::int32_t> out;
  for (const auto& [tid, history] : threads_)
    if (tid != 0 || idle_is_recorded_) out.push_back(tid);
  std::ranges::sort(out);
  return out;
}

// machine__findnew_thread(): a thread whose process is unknown gets the process of the record; a thread with a process
// keeps it, whatever the record says.
Threads::Thread Threads::find_or_add(Moment moment, ThreadId id) {
  if (id.tid == 0) idle_is_recorded_ = true;
  History<Thread>& history = threads_[id.tid];  // references to elements outlive a rehash
  if (history.empty()) return add(moment, id);
  Thread thread = history.latest();
  if (thread.pid != unknown || id.pid == unknown) return thread;
  thread.pid = id.pid;
  if (id.pid != id.tid) thread.space = find_or_add(moment, {id.pid, id.pid}).space;
  history.set(moment, thread);
  return thread;
}

Threads::Thread Threads::add(Moment moment, ThreadId id) {
  const Thread thread{.pid = id.pid, .space = space_of(moment, id), .life = static_cast<std::uint32_t>(lives_.size())};
  lives_.emplace_back();
  threads_[id.tid].set(moment, thread);
  return thread;
}

// thread__init_maps()
Threads::SpaceId Threads::space_of(Moment moment, ThreadId id) {
  return has_own_space(id) ? add_space() : find_or_add(moment, {id.pid, id.pid}).space;
}

Threads::SpaceId Threads::add_space() {
  if (spaces_.empty()) spaces_.emplace_back();  // 0: the space that stays empty
  spaces_.emplace_back();
  return static_cast<SpaceId>(spaces_.size() - 1);
}

History<Threads::Thread>::Answer Threads::answer(std::int32_t tid, Moment moment) const {
  const auto found = threads_.find(tid);
  return found == threads_.end() ? History<Thread>::Answer{} : found->second.at(moment);
}

MapsVersion Threads::latest_maps(const Space& space) {
  return space.maps.empty() ? MapsTree::empty : space.maps.latest();
}

}  // namespace perfsift::reader
