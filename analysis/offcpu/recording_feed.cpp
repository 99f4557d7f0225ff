#include "analysis/offcpu/recording_feed.h"

#include <algorithm>
#include <string_view>

#include "reader/features/record_command.h"
#include "reader/records/loss.h"
#include "reader/records/process.h"

namespace perfsift::offcpu {
namespace {

using reader::Record;
using reader::RecordType;
using reader::Sample;
using reader::SampleId;
using reader::TracepointFormat;

}  // namespace

RecordingFeed::RecordingFeed(const reader::Recording& recording, const analysis::UnwindOptions& unwind,
                             const analysis::CodeVersions& versions, FeedOptions options, Scheduler& scheduler,
                             StackTable& stacks, FeedListener& listener)
    : SchedFeed(scheduler),
      recording_(recording),
      timeline_(recording.timeline()),
      streamed_(recording.streamed()),
      options_(options),
      stacks_(stacks),
      listener_(listener),
      code_versions_(versions, timeline_),
      call_stack_(recording, unwind) {}

// --- kinds of events ---

bool RecordingFeed::has_tracepoint(std::string_view name) const {
  return std::ranges::any_of(recording_.events(), [&](const auto& event) {
    const TracepointFormat* format =
        recording_.tracepoints() == nullptr ? nullptr : recording_.tracepoints()->find(event->tracepoint_id());
    return format != nullptr && format->system == "sched" && format->name == name;
  });
}

RecordingFeed::EventKind RecordingFeed::find_kind(const reader::Event& event) const {
  if (event.name.starts_with(reader::Event::off_cpu_name))
    return {.kind = SchedKind::off_cpu_sum, .layout = {}, .measured = {}};
  const TracepointFormat* format =
      recording_.tracepoints() == nullptr ? nullptr : recording_.tracepoints()->find(event.tracepoint_id());
  if (format == nullptr) return {};
  if (auto layout = measured_layout(*format, recording_.tracepoints()->order()))
    return {.kind = SchedKind::measured, .layout = {}, .measured = std::move(*layout)};
  if (format->system != "sched") return {};
  const SchedTracepoint* tracepoint = find_sched_tracepoint(format->name);
  if (tracepoint == nullptr) return {.kind = SchedKind::ignored, .layout = {}, .measured = {}};
  // sched_wakeup comes later than sched_waking: when the thread is queued, and perhaps on its own CPU instead of the
  // waker's.
  if (tracepoint->kind == SchedKind::wakeup && has_tracepoint("sched_waking"))
    return {.kind = SchedKind::ignored, .layout = {}, .measured = {}};

  const auto field = [&](std::string_view name) {
    const reader::TracepointField* found = format->find(name);
    return found == nullptr ? RawField()
                            : RawField(found->offset, found->size, found->is_signed, recording_.tracepoints()->order());
  };
  EventKind kind{.kind = tracepoint->kind, .layout = {.subject = field(tracepoint->subject)}, .measured = {}};
  if (!tracepoint->value.empty()) kind.layout.value = field(tracepoint->value);
  if (!tracepoint->other.empty()) kind.layout.other = field(tracepoint->other);
  return kind;
}

// The exec of a program that perf starts enables its events (evsel__config()). In other recordings the command line
// says which threads were recorded.
void RecordingFeed::learn_about_recording() {
  sources_.switches = has_tracepoint("sched_switch");
  sources_.wakeups = sources_.measured || has_tracepoint("sched_waking") || has_tracepoint("sched_wakeup");
  const auto command = reader::parse_record_command(recording_.features().command_line);
  sources_.only_some = command.excludes_threads() || std::ranges::any_of(recording_.events(), [](const auto& event) {
                         return event->attr.enable_on_exec();
                       });
}

const RecordingFeed::EventKind& RecordingFeed::kind_of(const reader::Event& event) {
  if (kinds_.size() <= event.index) kinds_.resize(event.index + 1);
  std::optional<EventKind>& known = kinds_[event.index];
  if (!known) {
    known = find_kind(event);
    sources_.sums |= known->kind == SchedKind::off_cpu_sum;
    sources_.measured |= known->kind == SchedKind::measured;
    learn_about_recording();
  }
  return *known;
}

// --- threads and stacks ---

// Nothing can be cached for a stream, because its timeline still grows.
const reader::ThreadState& RecordingFeed::identity(std::int32_t pid, std::int32_t tid, reader::Moment moment) {
  Identity& entry = identities_[static_cast<std::uint32_t>(tid) % identities_.size()];
  const bool hit = entry.valid && entry.tid == tid && entry.state.from <= moment && moment < entry.state.until;
  return hit && !streamed_ ? entry.state : look_up(entry, pid, tid, moment);
}

[[gnu::noinline]] const reader::ThreadState& RecordingFeed::look_up(Identity& entry, std::int32_t pid, std::int32_t tid,
                                                                    reader::Moment moment) const {
  entry = {.valid = true, .tid = tid, .state = timeline_.thread(pid, tid, moment)};
  return entry.state;
}

StackOwner RecordingFeed::owner_of(const reader::ThreadState& state, std::int32_t tid, reader::CpuMode mode,
                                   std::uint64_t time) {
  return {.comm = state.comm,
          .tid = state.comm == 0 ? tid : 0,
          .maps = state.maps,
          .kernel_maps = state.kernel_maps,
          .code_version = code_versions_.of(state, time),
          .mode = mode};
}

StackId RecordingFeed::stack_of(const Sample& sample) {
  return stack_of(sample, identity(sample.pid, sample.tid, sample.moment));
}

StackId RecordingFeed::stack_of(const Sample& sample, const reader::ThreadState& state) {
  const analysis::CallStack::Stack& stack = call_stack_.of(sample, state);
  StackOwner owner = owner_of(state, sample.tid, sample.cpumode, sample.time);
  owner.truncated = stack.truncated;
  owner.tail = stack.tail;
  return stacks_.intern(owner, stack.words(), stack.words_last());
}

// --- samples ---

void RecordingFeed::sample(const Sample& sample) {
  const EventKind& kind = kind_of(*sample.event);
  if (kind.kind == SchedKind::off_cpu_sum) return take_sum(sample);
  if (kind.kind == SchedKind::measured) return take_measured(kind.measured, sample);
  // Before the first scheduler event it is not known which thread was running.
  if (scheduler_.started()) scheduler_.advance(sample.moment.time);
  if (kind.kind == SchedKind::other) {
    take_other(sample);
  } else if (kind.kind != SchedKind::ignored) {
    SchedEvent event{
        .kind = kind.kind, .time = sample.moment.time, .cpu = sample.cpu, .pid = sample.pid, .tid = sample.tid};
    if (kind.kind == SchedKind::switch_) {
      ++sources_.switches_recorded;
      sources_.switches_in_all += std::max<std::uint64_t>(sample.period, 1);
    }
    if (kind.layout.read(sample.raw, event)) {
      take(event, sample);
    } else {
      ++unreadable_;
    }
  }
  listener_.moment(scheduler_.now());
}

void RecordingFeed::complete(SwitchOut& out, const Sample& sample) {
  const reader::ThreadState& thread = identity(sample.pid, out.tid, sample.moment);
  out.pid = thread.pid;
  out.name = thread.comm;
  out.cgroup = sample.cgroup;
  StackOwner owner = owner_of(thread, out.tid, sample.cpumode, sample.time);
  if (!sample.has_callchain) {
    out.stack = stacks_.intern(owner, {}, true);
    return;
  }
  const analysis::CallStack::Stack& stack = call_stack_.of(sample, thread);
  owner.truncated = stack.truncated;
  owner.tail = stack.tail;
  const ThreadNumber number = scheduler_.thread_of(out.tid);
  const StackId latest = number == no_thread ? no_stack : scheduler_.threads()[number].stack;
  out.stack = stacks_.intern(owner, stack.words(), stack.words_last(), latest);
  out.origin = StackOrigin::at_switch;
}

void RecordingFeed::complete(SwitchIn& in, const Sample& sample) {
  const reader::ThreadState& thread = identity(-1, in.tid, sample.moment);
  in.pid = thread.pid;
  in.name = thread.comm;
}

void RecordingFeed::complete(Wakeup& wakeup, const Sample& sample) {
  wakeup.pid = identity(-1, wakeup.tid, sample.moment).pid;
  if (sample.tid > 0) wakeup.waker_name = identity(sample.pid, sample.tid, sample.moment).comm;
  if (options_.waker_stacks) wakeup.stack = stack_of(sample);
}

void RecordingFeed::complete(Birth& birth, const Sample& sample) {
  const reader::ThreadState& thread = identity(-1, birth.tid, sample.moment);
  birth.pid = thread.pid;
  birth.name = thread.comm;
}

void RecordingFeed::take_measured(const MeasuredLayout& layout, const Sample& sample) {
  const auto values = layout.read(sample.raw);
  if (!values) {
    ++unreadable_;
  } else if (layout.tracepoint == &reader::measured_wait_tracepoint) {
    take_measured_wait(*values, sample);
  } else if (layout.tracepoint == &reader::measured_waker_tracepoint) {
    const reader::ThreadState& thread = identity(sample.pid, sample.tid, sample.moment);
    measured_waker_ = {.woken_tid = static_cast<std::int32_t>((*values)[reader::measured_waker::tid]),
                       .time = sample.time,
                       .pid = sample.pid,
                       .tid = sample.tid,
                       .cpu = sample.cpu,
                       .name = thread.comm,
                       .stack = options_.waker_stacks ? stack_of(sample, thread) : no_stack};
  } else {
    namespace table = reader::measured_table;
    sources_.losses += measured_losses(*values);
    sources_.cost += measuring_cost(*values);
    if (!scheduler_.started()) scheduler_.advance((*values)[table::begin]);
    scheduler_.count_measured({.switches = (*values)[table::switches],
                               .wakeups = (*values)[table::wakeups],
                               .contradictions = (*values)[table::unseen]});
    scheduler_.advance(sample.moment.time);
    listener_.moment(scheduler_.now());  // the sums of a reading have one time, and come before
  }
}

// A sum is read later than its thread may have ended, or have executed another program.
void RecordingFeed::take_measured_wait(const std::vector<std::uint64_t>& values, const Sample& sample) {
  MeasuredWaits waits = measured_waits(values);
  const reader::Moment moment{std::min(waits.last, sample.moment.time), sample.moment.position};
  const reader::ThreadState thread = identity(sample.pid, sample.tid, moment);
  waits.time = sample.moment.time;
  waits.pid = sample.pid;
  waits.tid = sample.tid;
  waits.name = thread.comm;
  waits.stack = sample.callchain.empty()
                    ? stacks_.intern(owner_of(thread, sample.tid, sample.cpumode, waits.last), {}, true)
                    : stack_of(sample, thread);
  if (!sample.callchain.empty()) waits.origin = StackOrigin::at_switch;
  if (waits.single && measured_waker_.woken_tid == waits.tid && measured_waker_.time == sample.time) {
    waits.waker_pid = measured_waker_.pid;
    waits.waker_tid = measured_waker_.tid;
    waits.waker_cpu = measured_waker_.cpu;
    waits.waker_name = measured_waker_.name;
    waits.waker_stack = measured_waker_.stack;
  }
  scheduler_.measured(waits);
}

void RecordingFeed::take_sum(const Sample& sample) {
  listener_.sum({.pid = sample.pid,
                 .tid = sample.tid,
                 .time = sample.period,
                 .stack = stack_of(sample),
                 .single = sample.time < reader::time_of_off_cpu_sums});
}

void RecordingFeed::take_other(const Sample& sample) {
  if (sample.tid <= 0 || (!options_.other_samples && sources_.switches)) return;
  const StackId stack = stack_of(sample);
  if (!sources_.switches) last_stacks_[sample.tid] = stack;
  if (!options_.other_samples) return;
  listener_.sample({.time = sample.moment.time,
                    .cpu = sample.cpu,
                    .pid = sample.pid,
                    .tid = sample.tid,
                    .event = sample.event,
                    .stack = stack});
}

// --- records ---

void RecordingFeed::record(const Record& record, const SampleId& id, reader::Moment moment) {
  if (id.time == reader::no_time || id.time == 0) return;  // synthesized by perf for the state before the recording
  const RecordType type = record.header.type;
  // Threads that start and end are in what was measured.
  if (sources_.measured && type != RecordType::lost && type != RecordType::lost_samples) return;
  if (!scheduler_.started() && type != RecordType::switch_ && type != RecordType::switch_cpu_wide) return;
  switch (type) {
    case RecordType::switch_:
    case RecordType::switch_cpu_wide:
      take_switch_record(record, id, moment.time);
      break;
    case RecordType::fork:
      if (const auto task = reader::decode_task(record); task && !task->synthesised) {
        const reader::ThreadState& thread = identity(task->pid, task->tid, moment);
        scheduler_.birth({.time = moment.time, .pid = task->pid, .tid = task->tid, .name = thread.comm});
      }
      break;
    case RecordType::exit:
      if (const auto task = reader::decode_task(record)) scheduler_.exit(moment.time, task->tid);
      break;
    case RecordType::lost:
      if (const auto lost = reader::decode_lost(record)) scheduler_.lost(moment.time, lost->lost);
      break;
    case RecordType::lost_samples:
      if (const auto lost = reader::decode_lost_samples(record); lost && !lost->dropped_by_bpf) {
        scheduler_.lost(moment.time, lost->lost);
      }
      break;
    default:
      return;
  }
  listener_.moment(scheduler_.now());
}

void RecordingFeed::take_switch_record(const Record& record, const SampleId& id, std::uint64_t time) {
  const auto event = reader::decode_switch(record);
  if (!event) return;
  sources_.switch_records = true;
  const Source source = sources_.switches ? Source::confirming : Source::leading;
  const reader::Moment moment{time, record.position};
  const reader::ThreadState* thread = id.tid > 0 ? &identity(id.pid, id.tid, moment) : nullptr;
  const std::uint32_t name = thread == nullptr ? 0 : thread->comm;
  if (!event->out) {
    scheduler_.switch_in({.time = time, .cpu = id.cpu, .pid = id.pid, .tid = id.tid, .name = name, .source = source});
    return;
  }
  SwitchOut out{.time = time, .cpu = id.cpu, .pid = id.pid, .tid = id.tid, .name = name, .source = source};
  out.state = TaskState(event->preempted ? TaskState::preempted : TaskState::waiting);
  if (source == Source::leading && thread != nullptr) {
    if (const auto last = last_stacks_.find(id.tid); last != last_stacks_.end()) {
      out.stack = last->second;
      out.origin = StackOrigin::last_sample;
    } else {
      out.stack = stacks_.intern(owner_of(*thread, id.tid, reader::CpuMode::user, id.time), {}, true);
    }
  }
  scheduler_.switch_out(out);
}

}  // namespace perfsift::offcpu
