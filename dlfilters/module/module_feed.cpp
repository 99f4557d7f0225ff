#include "dlfilters/module/module_feed.h"

#include <fmt/format.h>

#include "base/error.h"
#include "dlfilters/module/sched_layouts.h"

namespace perfsift::dlfilter {

using offcpu::SchedKind;
using offcpu::ThreadClock;
using offcpu::ThreadNumber;

namespace {

// Statistics have no layout here: what they add is needed only where perf shows no switches at all.
SchedKind find_kind(std::string_view event) {
  constexpr std::string_view system = "sched:";
  if (event.starts_with(reader::Event::off_cpu_name)) return SchedKind::off_cpu_sum;
  if (!event.starts_with(system)) return SchedKind::other;
  const offcpu::SchedTracepoint* tracepoint = offcpu::find_sched_tracepoint(event.substr(system.size()));
  return tracepoint != nullptr && has_layout(tracepoint->kind) ? tracepoint->kind : SchedKind::ignored;
}

}  // namespace

// The events of a program that perf started begin with its exec (evsel__config()).
SchedKind ModuleFeed::kind_of(PerfSample& sample) {
  const std::string_view event = sample.event();
  const auto [known, is_new] = kinds_.try_emplace(event.data(), SchedKind::other);
  if (!is_new) return known->second;
  const SchedKind kind = known->second = find_kind(event);
  sources_.switches |= kind == SchedKind::switch_;
  sources_.wakeups |= kind == SchedKind::waking || kind == SchedKind::wakeup;
  sources_.sums |= kind == SchedKind::off_cpu_sum;
  waking_ |= kind == SchedKind::waking;
  const reader::EventAttr& attr = sample.recorded().event->attr;
  sources_.only_some |= attr.enable_on_exec();
  misses_switch_records_ |= attr.context_switch();
  return kind;
}

// sched_wakeup comes after sched_waking: when the thread is queued, and perhaps on its CPU and not the waker's. So
// sched_wakeup counts only in a recording without sched_waking.
void ModuleFeed::sample(PerfSample& sample) {
  const SchedKind kind = kind_of(sample);
  const reader::Sample& recorded = sample.recorded();
  if (kind == SchedKind::off_cpu_sum) return take_sum(sample);
  if (recorded.time == reader::no_time) return;
  if (scheduler_.started()) scheduler_.advance(recorded.time);
  const bool counts = kind != SchedKind::other && kind != SchedKind::ignored && (kind != SchedKind::wakeup || !waking_);
  if (counts) {
    offcpu::SchedEvent event{
        .kind = kind, .time = recorded.time, .cpu = recorded.cpu, .pid = recorded.pid, .tid = recorded.tid};
    if (!read_sched_event(recorded.raw, event)) {
      throw Error(
          fmt::format("{}: its {} bytes have an unknown layout; perfsift offcpu reads them by "
                      "the format that was recorded",
                      sample.event(), recorded.raw.size()));
    }
    take(event, sample);
  }
  listener_.moment(scheduler_.now());
}

// perf shows a thread by its number where it has no name for it, as later versions do with new threads.
std::uint32_t ModuleFeed::name_of(PerfSample& sample) {
  const std::string_view comm = sample.comm();
  return comm.empty() || comm.front() == ':' ? 0 : names_.number_of(comm);
}

// perf's name of the thread is taken where perf knows the thread: of some threads of the kernel it is longer than the
// tracepoint's.
void ModuleFeed::complete(offcpu::SwitchOut& out, PerfSample& sample) {
  const reader::Sample& recorded = sample.recorded();
  const bool gone = recorded.tid != out.tid;
  if (gone) {
    out.pid = -1;
  } else {
    out.name = name_of(sample);
  }
  if (out.name == 0) out.name = names_.number_of(comms_of_switch(recorded.raw).prev);
  out.stack = recorded.has_callchain ? names_.stack_of(sample, out.name) : names_.without_frames(out.name);
  if (recorded.has_callchain) out.origin = offcpu::StackOrigin::at_switch;
}

void ModuleFeed::complete(offcpu::SwitchIn& in, PerfSample& sample) {
  if (!is_named(in.tid)) in.name = names_.number_of(comms_of_switch(sample.recorded().raw).next);
}

// A thread keeps its name while it is off.
bool ModuleFeed::is_named(std::int32_t tid) const {
  const ThreadNumber number = scheduler_.thread_of(tid);
  if (number == offcpu::no_thread) return false;
  const ThreadClock& thread = scheduler_.threads()[number];
  return thread.name != 0 && thread.phase != ThreadClock::Phase::dead;
}

void ModuleFeed::complete(offcpu::Wakeup& wakeup, PerfSample& sample) {
  if (sample.recorded().tid > 0) wakeup.waker_name = name_of(sample);
  if (options_.waker_stacks) wakeup.stack = names_.stack_of(sample, wakeup.waker_name);
}

// A new thread has the name of its creator.
void ModuleFeed::complete(offcpu::Birth& birth, PerfSample& sample) { birth.name = name_of(sample); }

// perf has turned the raw data that BPF wrote into an ordinary sample. For single intervals perf takes the thread for
// the process; reader::SampleDecoder does not.
void ModuleFeed::take_sum(PerfSample& sample) {
  const reader::Sample& recorded = sample.recorded();
  listener_.sum({.pid = recorded.pid,
                 .tid = recorded.tid,
                 .time = recorded.period,
                 .stack = names_.stack_of(sample, name_of(sample)),
                 .single = recorded.time < reader::time_of_off_cpu_sums});
}

}  // namespace perfsift::dlfilter
