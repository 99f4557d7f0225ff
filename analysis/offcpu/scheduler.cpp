#include "analysis/offcpu/scheduler.h"

#include <algorithm>
#include <utility>

namespace perfsift::offcpu {

// --- threads and times ---

bool Scheduler::is_possible(std::int32_t cpu, std::int32_t tid) {
  const bool possible = cpu >= (tid == 0 ? 0 : -1) && cpu < most_cpus && tid >= 0 && tid < most_tids;
  if (!possible) ++counts_.impossible;
  return possible;
}

std::uint64_t Scheduler::at(std::uint64_t time) {
  if (!started_) {
    started_ = true;
    start_ = now_ = time;
  }
  if (time < now_) ++counts_.late;
  return now_ = std::max(now_, time);
}

// What is needed once for each thread and CPU is not inlined, so that what each event needs is.
[[gnu::noinline]] Scheduler::Cpu& Scheduler::new_cpu(std::int32_t cpu) {
  if (cpu < 0) return not_recorded_ = {};
  const auto i = static_cast<std::size_t>(cpu);
  cpus_.resize(i + 1);
  return cpus_[i];
}

[[gnu::noinline]] void Scheduler::make_room_for(std::size_t tid) {
  by_tid_.resize(std::max(tid + 1, by_tid_.size() * 2), no_thread);
}

[[gnu::noinline]] ThreadNumber Scheduler::add(ThreadNumber& place, std::int32_t tid, std::uint64_t first) {
  ThreadNumber number = static_cast<ThreadNumber>(threads_.size());
  if (free_.empty()) {
    threads_.emplace_back();
  } else {
    number = free_.back();
    free_.pop_back();
    threads_[number] = ThreadClock();
  }
  ThreadClock& thread = threads_[number];
  thread.tid = tid;
  thread.first = thread.since = first;
  thread.losses = loss_events_;
  return place = number;
}

// A thread that was not seen before is observed from the start of the recording, because it existed then. A thread with
// the tid of a dead thread is new, and began in between.
ThreadNumber Scheduler::find_or_add(ThreadNumber& place, std::int32_t pid, std::int32_t tid, std::uint32_t name,
                                    std::uint64_t now) {
  if (place == no_thread) {
    add(place, tid, start_);
  } else if (threads_[place].phase == Phase::dead) {
    ++counts_.contradictions;
    add(place, tid, now);
  }
  ThreadClock& thread = threads_[place];
  if (pid >= 0) thread.pid = pid;
  if (name != 0) thread.name = name;
  return place;
}

bool Scheduler::is_on(const ThreadClock& thread, ThreadNumber number, std::int32_t cpu) const {
  if (thread.phase != Phase::running || thread.cpu != cpu) return false;
  return cpu < 0 || cpus_[static_cast<std::size_t>(cpu)].current == number;
}

void Scheduler::count_gap(Cpu& cpu) {
  if (!std::exchange(cpu.gap_is_counted, true)) ++counts_.contradictions;
}

void Scheduler::count_gap_where_it_ran(ThreadNumber number) {
  const ThreadClock& thread = threads_[number];
  if (!is_on(thread, number, thread.cpu)) return;  // the thread is known to have left, and the gap is counted
  if (thread.cpu < 0) {
    ++counts_.contradictions;
    return;
  }
  Cpu& cpu = cpus_[static_cast<std::size_t>(thread.cpu)];
  count_gap(cpu);
  cpu.current = no_thread;
}

bool Scheduler::is_known_gone(ThreadNumber number) const {
  return number != no_thread && (threads_[number].phase == Phase::off || threads_[number].phase == Phase::dead);
}

// Whether the thread runs on another CPU, and another thread on this CPU. When a thread executes a program, its leader
// leaves for good with the thread's number in the SWITCH record: exchange_tids() in the kernel has run since
// sched_switch.
bool Scheduler::is_known_elsewhere(ThreadNumber number, const Cpu& cpu) const {
  if (number == no_thread || cpu.current == no_thread || cpu.current == number) return false;
  return is_on(threads_[number], number, threads_[number].cpu);
}

bool Scheduler::is_known_dead(ThreadNumber number) const {
  return number != no_thread && threads_[number].phase == Phase::dead;
}

// A thread that comes onto a CPU or is woken was off its CPU until then.
void Scheduler::be_off_before(ThreadClock& thread) {
  thread.phase = Phase::off;
  thread.began_before = true;
}

// --- events ---

void Scheduler::switch_out(const SwitchOut& event) {
  if (!is_possible(event.cpu, event.tid)) return;
  const std::uint64_t now = at(event.time);
  Cpu& cpu = cpu_of(event.cpu);
  ThreadNumber& place = number_of(event.tid, cpu);
  if (event.source == Source::confirming && (is_known_gone(place) || is_known_elsewhere(place, cpu))) return;
  const bool first_here = !std::exchange(cpu.switched, true);
  if (is_known_dead(place)) cpu.gap_is_counted = true;  // by find_or_add()
  const ThreadNumber number = find_or_add(place, event.pid, event.tid, 0, now);
  ThreadClock& thread = threads_[number];
  ++counts_.switches;

  if (thread.phase == Phase::unknown && first_here && thread.first == start_) {
    // No thread has left this CPU before: this thread has been on the CPU since the start.
    thread.phase = Phase::running;
    thread.cpu = event.cpu;
    cpu.current = number;
  }
  const bool was_on = is_on(thread, number, event.cpu);
  if (!was_on) {
    count_gap(cpu);
    count_gap_where_it_ran(number);
    close_without_return(number, now);
  }
  if (event.name != 0) thread.name = event.name;  // perhaps a new one, which the interval before did not have
  if (was_on) close_running(number, now);
  tell_left(number, event.cpu, std::exchange(cpu.last_switch, now), now);

  // An exiting thread may still wait for a lock. Only if the state is not recorded, the thread is taken to be dead.
  const bool dead = event.state.is_dead() || (thread.exiting && event.state == TaskState(TaskState::waiting));
  begin(thread, dead && event.tid != 0 ? Phase::dead : Phase::off, now);
  thread.cpu = event.cpu;
  ++thread.switches;
  thread.cgroup = event.cgroup;
  thread.state = event.state;
  thread.stack = event.stack;
  thread.origin = event.origin;
  cpu.current = no_thread;
  cpu.left_last = number;
  cpu.gap_is_counted = false;
}

void Scheduler::switch_in(const SwitchIn& event) {
  if (!is_possible(event.cpu, event.tid)) return;
  const std::uint64_t now = at(event.time);
  Cpu& cpu = cpu_of(event.cpu);
  cpu.switched = true;
  const ThreadNumber number = find_or_add(number_of(event.tid, cpu), event.pid, event.tid, event.name, now);
  ThreadClock& thread = threads_[number];
  if (event.source == Source::confirming && thread.phase == Phase::running) return;

  if (const ThreadNumber before = std::exchange(cpu.left_last, no_thread); before != no_thread && before != number) {
    threads_[before].successor = number;
  }
  if (thread.phase == Phase::off && !thread.woken && event.queued != 0 && !thread.state.is_runnable()) {
    thread.woken = true;
    thread.woken_at = now - std::min(event.queued, now - thread.since);
  }
  if (cpu.current != no_thread && cpu.current != number) count_gap(cpu);
  if (thread.phase == Phase::running) count_gap_where_it_ran(number);
  if (thread.phase == Phase::unknown) be_off_before(thread);
  if (thread.phase == Phase::off) {
    close_off(number, now, event.cpu, Return::seen);
  } else {
    close_unknown(thread, now);
  }
  if (thread.switches != 0 && thread.cpu != event.cpu) ++thread.migrations;
  begin(thread, Phase::running, now);
  thread.cpu = event.cpu;
  cpu.current = number;
  cpu.gap_is_counted = false;
}

void Scheduler::wakeup(const Wakeup& event) {
  if (!is_possible(event.cpu, event.tid) || event.tid == 0) return;
  const std::uint64_t now = at(event.time);
  if (event.first) birth({.time = now, .pid = event.pid, .tid = event.tid});
  const ThreadNumber number = find_or_add(number_of(event.tid), event.pid, event.tid, 0, now);
  ThreadNumber waker = no_thread;
  if (event.waker_tid >= (event.cpu < 0 ? 1 : 0) && event.waker_tid < most_tids) {
    ThreadNumber& place = number_of(event.waker_tid, cpu_of(event.cpu));
    waker = find_or_add(place, event.waker_pid, event.waker_tid, event.waker_name, now);
  }
  ++counts_.wakeups;
  ThreadClock& thread = threads_[number];
  ++thread.wakeups;
  if (thread.ready == 0) thread.ready = now;
  if (thread.phase == Phase::unknown) be_off_before(thread);
  if (thread.phase != Phase::off || thread.woken || thread.state.is_runnable()) return;
  thread.woken = true;
  thread.woken_at = now;
  thread.waker = {.thread = waker, .cpu = event.cpu, .stack = event.stack};
}

void Scheduler::birth(const Birth& event) {
  if (!is_possible(0, event.tid) || event.tid == 0) return;
  const std::uint64_t now = at(event.time);
  ThreadNumber& place = number_of(event.tid);
  if (const ThreadNumber old = place; old != no_thread) {
    const ThreadClock& thread = threads_[old];
    const bool told_already = thread.state == TaskState(TaskState::created) && thread.phase == Phase::off;
    if (told_already) return;
    if (thread.phase != Phase::dead) {
      close(old, now);
      thread.phase == Phase::running ? count_gap_where_it_ran(old) : static_cast<void>(++counts_.contradictions);
      threads_[old].phase = Phase::dead;
    }
  }
  ThreadClock& thread = threads_[add(place, event.tid, now)];
  thread.pid = event.pid;
  thread.name = event.name;
  thread.phase = Phase::off;
  thread.state = TaskState(TaskState::created);
}

void Scheduler::exit(std::uint64_t time, std::int32_t tid) {
  if (!is_possible(0, tid) || tid == 0) return;
  at(time);
  if (const ThreadNumber number = number_of(tid); number != no_thread) threads_[number].exiting = true;
}

void Scheduler::renumber(const Renumbering& event) {
  if (!is_possible(0, event.tid) || !is_possible(0, event.old_tid)) return;
  if (event.tid == 0 || event.old_tid == 0 || event.tid == event.old_tid) return;
  const std::uint64_t now = at(event.time);
  const ThreadNumber number = std::exchange(number_of(event.old_tid), no_thread);
  if (number == no_thread) return;
  if (const ThreadNumber leader = number_of(event.tid); leader != no_thread) {
    close(leader, now);
    threads_[leader].phase = Phase::dead;
  }
  number_of(event.tid) = number;
  threads_[number].tid = event.tid;
}

void Scheduler::is_running(const SwitchIn& event, std::uint64_t ran) {
  if (!is_possible(event.cpu, event.tid)) return;
  const std::uint64_t now = at(event.time);
  Cpu& cpu = cpu_of(event.cpu);
  const ThreadNumber number = number_of(event.tid, cpu);
  if (number == no_thread || threads_[number].phase != Phase::off) return;
  ThreadClock& thread = threads_[number];
  const std::uint64_t came = now - std::min(ran, now - thread.since);
  if (thread.woken) thread.woken_at = std::min(thread.woken_at, came);
  close_off(number, came, event.cpu, Return::seen);
  begin(thread, Phase::running, came);
  thread.cpu = event.cpu;
  cpu.current = number;
}

void Scheduler::lost(std::uint64_t time, std::uint64_t records) {
  at(time);
  counts_.losses += records;
  ++loss_events_;
}

void Scheduler::advance(std::uint64_t time) { at(time); }

void Scheduler::finish() {
  for (ThreadNumber number = 0; number < threads_.size(); ++number) close(number, now_);
}

// --- times ---

// Ends the thread's current phase now.
void Scheduler::close(ThreadNumber number, std::uint64_t now) {
  ThreadClock& thread = threads_[number];
  switch (thread.phase) {
    case Phase::dead:
      return;
    case Phase::off:
      close_off(number, now, -1, Return::not_yet);
      break;
    case Phase::running:
      if (is_on(thread, number, thread.cpu)) {
        close_running(number, now);
        break;
      }
      [[fallthrough]];
    case Phase::unknown:
      close_unknown(thread, now);
  }
  thread.since = now;
}

void Scheduler::close_running(ThreadNumber number, std::uint64_t now) {
  ThreadClock& thread = threads_[number];
  if (thread.losses != loss_events_) return close_unknown(thread, now);
  thread.times.run += now - thread.since;
  listener_.slice({.thread = number, .cpu = thread.cpu, .start = thread.since, .end = now});
}

void Scheduler::close_unknown(ThreadClock& thread, std::uint64_t now) { thread.times.unknown += now - thread.since; }

// The thread leaves a CPU, and no switch has brought it back: in a container, no switch away from threads outside of it
// is recorded. The thread slept until something woke it; the rest is unknown.
void Scheduler::close_without_return(ThreadNumber number, std::uint64_t now) {
  ThreadClock& thread = threads_[number];
  const bool slept = thread.phase == Phase::off && thread.woken && !thread.state.is_runnable();
  if (!slept || thread.losses != loss_events_) return close_unknown(thread, now);
  close_off(number, now, -1, Return::missing);
}

void Scheduler::close_off(ThreadNumber number, std::uint64_t now, std::int32_t cpu_entered, Return back) {
  ThreadClock& thread = threads_[number];
  // Member by member: an initializer list would first clear the whole struct, with an instruction that takes 20 ns to
  // start.
  Interval interval;
  interval.thread = number;
  interval.start = thread.since;
  interval.end = now;
  interval.state = thread.state;
  interval.stack = thread.stack;
  interval.origin = thread.origin;
  interval.cgroup = thread.cgroup;
  interval.cpu_left = thread.switches != 0 ? thread.cpu : -1;
  interval.cpu_entered = cpu_entered;
  interval.waker = thread.waker;
  interval.successor = thread.successor;
  interval.woken = thread.woken;
  interval.began_before = thread.began_before;
  interval.goes_on = back == Return::not_yet;
  if (thread.losses != loss_events_) {
    interval.unknown = interval.length();
  } else if (thread.state.is_runnable()) {
    interval.run_queue = interval.length();
  } else {
    interval.blocked = (thread.woken ? thread.woken_at : now) - thread.since;
    (back == Return::missing ? interval.unknown : interval.run_queue) = interval.length() - interval.blocked;
  }
  thread.times.blocked += interval.blocked;
  thread.times.run_queue += interval.run_queue;
  thread.times.unknown += interval.unknown;
  if (thread.tid != 0) listener_.interval(interval);
}

// The last switch on the CPU counts as the one that brought the thread, without a check, as in perf sched timehist.
void Scheduler::tell_left(ThreadNumber number, std::int32_t cpu, std::uint64_t came, std::uint64_t now) {
  ThreadClock& thread = threads_[number];
  TimehistFigures figures;
  if (came != 0) {
    figures.run = now - came;
    if (thread.last_left != 0 && thread.last_left <= came) figures.wait = came - thread.last_left;
    if (thread.ready != 0 && thread.ready <= came) figures.delay = came - thread.ready;
  }
  thread.timehist.add(figures);
  thread.last_left = now;
  thread.ready = 0;
  listener_.left(number, cpu, now, figures);
}

void Scheduler::begin(ThreadClock& thread, Phase phase, std::uint64_t now) const {
  thread.phase = phase;
  thread.since = now;
  thread.losses = loss_events_;
  thread.woken = thread.began_before = false;
  thread.waker = {};
  thread.successor = no_thread;
}

// --- streams without end ---

void Scheduler::forget_dead() {
  for (ThreadNumber number = 0; number < threads_.size(); ++number) {
    ThreadClock& thread = threads_[number];
    if (thread.phase != Phase::dead || thread.tid <= 0) continue;
    if (number_of(thread.tid) == number) number_of(thread.tid) = no_thread;
    thread.tid = -1;
    free_.push_back(number);
  }
  measured_.clear();
  const auto is_forgotten = [&](ThreadNumber number) { return number != no_thread && threads_[number].tid < 0; };
  for (ThreadClock& thread : threads_) {
    if (is_forgotten(thread.waker.thread)) thread.waker.thread = no_thread;
    if (is_forgotten(thread.successor)) thread.successor = no_thread;
  }
  for (Cpu& cpu : cpus_) {
    if (is_forgotten(cpu.current)) cpu.current = no_thread;
    if (is_forgotten(cpu.left_last)) cpu.left_last = no_thread;
  }
}

void Scheduler::forget_stacks() {
  for (ThreadClock& thread : threads_) {
    thread.stack = thread.waker.stack = no_stack;
    thread.origin = StackOrigin::none;
  }
}

}  // namespace perfsift::offcpu
