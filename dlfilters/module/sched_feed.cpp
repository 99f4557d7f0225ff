#include "dlfilters/module/sched_feed.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/error.h"

namespace perfsift::dlfilter {

using offcpu::ThreadClock;
using offcpu::ThreadNumber;

// --- which event tells what ---

SchedFeed::Kind SchedFeed::find_kind(std::string_view event) {
  struct Known {
    std::string_view name;
    Kind kind;
  };
  static constexpr Known known[] = {
      {"sched:sched_switch", Kind::switch_},    {"sched:sched_waking", Kind::waking},
      {"sched:sched_wakeup", Kind::wakeup},     {"sched:sched_wakeup_new", Kind::wakeup_new},
      {"sched:sched_process_fork", Kind::fork}, {"sched:sched_process_exec", Kind::exec},
  };
  if (event.starts_with(reader::Event::off_cpu_name)) return Kind::off_cpu_sum;
  const auto* const found = std::ranges::find(known, event, &Known::name);
  return found != std::end(known) ? found->kind : Kind::other;
}

// Of a program that perf started, events begin with its exec (evsel__config()).
SchedFeed::Kind SchedFeed::kind_of(PerfSample& sample) {
  const std::string_view event = sample.event();
  const auto [known, is_new] = kinds_.try_emplace(event.data(), Kind::other);
  if (!is_new) return known->second;
  const Kind kind = known->second = find_kind(event);
  sources_.switches |= kind == Kind::switch_;
  sources_.wakeups |= kind == Kind::waking || kind == Kind::wakeup;
  sources_.sums |= kind == Kind::off_cpu_sum;
  waking_ |= kind == Kind::waking;
  const reader::EventAttr& attr = sample.recorded().event->attr;
  only_some_ |= attr.enable_on_exec();
  misses_switch_records_ |= attr.context_switch();
  return kind;
}

// --- samples ---

void SchedFeed::sample(PerfSample& sample) {
  const Kind kind = kind_of(sample);
  const reader::Sample& recorded = sample.recorded();
  if (kind == Kind::off_cpu_sum) return take_sum(sample);
  if (recorded.time == reader::no_time) return;
  if (scheduler_.started()) scheduler_.advance(recorded.time);
  if (!take(sample, kind)) {
    throw Error(
        fmt::format("{}: its {} bytes are laid out in a way that is not known here; perfsift offcpu reads them by "
                    "the format that was recorded",
                    sample.event(), recorded.raw.size()));
  }
  listener_.moment(scheduler_.now());
}

// sched_wakeup comes after sched_waking, when the thread is queued, and perhaps on its CPU and not the waker's: it
// counts where there is no other.
bool SchedFeed::take(PerfSample& sample, Kind kind) {
  switch (kind) {
    case Kind::switch_:
      return take_switch(sample);
    case Kind::waking:
      return take_wakeup(sample, false);
    case Kind::wakeup:
      return waking_ || take_wakeup(sample, false);
    case Kind::wakeup_new:
      return take_wakeup(sample, true);
    case Kind::fork:
      return take_fork(sample);
    case Kind::exec:
      return take_exec(sample.recorded());
    case Kind::other:
    case Kind::off_cpu_sum:
      return true;
  }
  return true;
}

bool SchedFeed::take_switch(PerfSample& sample) {
  const auto event = decode_sched_switch(sample.recorded().raw);
  if (!event) return false;
  switch_out(sample, *event);
  if (!is_foreign(event->next_pid)) switch_in(sample.recorded(), *event);
  return true;
}

// perf shows a thread by its number where it has no name for it, as later versions do with new threads.
std::uint32_t SchedFeed::name_of(PerfSample& sample) {
  const std::string_view comm = sample.comm();
  return comm.empty() || comm.front() == ':' ? 0 : names_.number_of(comm);
}

// A thread that is no longer known to the kernel by its number leaves with pid and tid -1. Where perf knows who it is,
// its name is taken: of some threads of the kernel it is longer than the tracepoint's.
void SchedFeed::switch_out(PerfSample& sample, const SchedSwitch& event) {
  const reader::Sample& recorded = sample.recorded();
  const bool gone = recorded.tid != event.prev_pid;
  offcpu::SwitchOut out{.time = recorded.time, .cpu = recorded.cpu, .tid = event.prev_pid};
  out.pid = gone ? -1 : recorded.pid;
  out.state = offcpu::TaskState::of_switch(event.prev_state);
  if (out.tid != 0) {
    if (!gone) out.name = name_of(sample);
    if (out.name == 0) out.name = names_.number_of(event.prev_comm);
    out.stack = recorded.has_callchain ? names_.stack_of(sample, out.name) : names_.without_frames(out.name);
    if (recorded.has_callchain) out.origin = offcpu::StackOrigin::at_switch;
  }
  scheduler_.switch_out(out);
}

void SchedFeed::switch_in(const reader::Sample& sample, const SchedSwitch& event) {
  offcpu::SwitchIn in{.time = sample.time, .cpu = sample.cpu, .tid = event.next_pid};
  if (in.tid != 0 && !is_named(in.tid)) in.name = names_.number_of(event.next_comm);
  scheduler_.switch_in(in);
}

// A thread keeps its name while it is off.
bool SchedFeed::is_named(std::int32_t tid) const {
  const ThreadNumber number = scheduler_.thread_of(tid);
  if (number == offcpu::no_thread) return false;
  const ThreadClock& thread = scheduler_.threads()[number];
  return thread.name != 0 && thread.phase != ThreadClock::Phase::dead;
}

bool SchedFeed::take_wakeup(PerfSample& sample, bool is_new) {
  const reader::Sample& recorded = sample.recorded();
  const auto tid = decode_sched_wakeup(recorded.raw);
  if (!tid) return false;
  if (is_foreign(*tid)) return true;
  offcpu::Wakeup event{.time = recorded.time, .cpu = recorded.cpu, .tid = *tid, .waker_pid = recorded.pid};
  event.waker_tid = is_foreign(recorded.tid) ? -1 : recorded.tid;
  if (recorded.tid > 0) event.waker_name = name_of(sample);
  if (options_.waker_stacks) event.stack = names_.stack_of(sample, event.waker_name);
  event.first = is_new;
  scheduler_.wakeup(event);
  return true;
}

// A new thread has the name of the one that made it.
bool SchedFeed::take_fork(PerfSample& sample) {
  const auto tid = decode_sched_process_fork(sample.recorded().raw);
  if (!tid) return false;
  scheduler_.birth({.time = sample.recorded().time, .tid = *tid, .name = name_of(sample)});
  return true;
}

bool SchedFeed::take_exec(const reader::Sample& sample) {
  const auto event = decode_sched_process_exec(sample.raw);
  if (!event) return false;
  scheduler_.renumber({.time = sample.time, .old_tid = event->old_pid, .tid = event->pid});
  return true;
}

// What BPF wrote as raw data, perf has made an ordinary sample of. Of single intervals it takes the thread for the
// process; reader::SampleDecoder does not.
void SchedFeed::take_sum(PerfSample& sample) {
  const reader::Sample& recorded = sample.recorded();
  listener_.sum({.pid = recorded.pid,
                 .tid = recorded.tid,
                 .time = recorded.period,
                 .stack = names_.stack_of(sample, name_of(sample)),
                 .single = recorded.time < reader::time_of_off_cpu_sums});
}

}  // namespace perfsift::dlfilter
