#include "record/waits/wait_recorder.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <span>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/clock_time.h"
#include "base/error.h"
#include "record/bpf/ring_buffer.h"
#include "record/waits/copied_registers.h"

namespace perfsift::record {
namespace {

namespace wait = reader::measured_wait;
namespace table = reader::measured_table;

static_assert(wait::woken == WAIT_WOKEN && wait::began_before == WAIT_BEGAN_BEFORE && wait::goes_on == WAIT_GOES_ON &&
              wait::no_wait == WAIT_NONE);

static_assert(WaitPlan::most_copied == WAIT_MOST_COPIED);

using WaitValues = std::array<std::uint64_t, wait::field_count>;

constexpr std::uint64_t not_known = ~std::uint64_t{0};  // -1

constexpr bool is_runnable(std::uint32_t state) { return state == 0 || state == WAIT_PREEMPTED; }

std::uint64_t unsigned_of(std::int32_t number) { return static_cast<std::uint64_t>(std::int64_t{number}); }

WaitValues values_of(const wait_key& key, const wait_row& row) {
  WaitValues values{};
  values[wait::count] = row.count;
  values[wait::blocked] = row.blocked;
  values[wait::run_queue] = row.run_queue;
  values[wait::longest] = row.longest;
  values[wait::longest_run_queue] = row.longest_run_queue;
  values[wait::ran] = row.ran;
  values[wait::unknown] = row.unknown;
  values[wait::last] = row.last;
  values[wait::thread_start] = key.thread_start;
  values[wait::state] = key.state;
  values[wait::flags] = key.flags;
  values[wait::cpu_left] = values[wait::cpu_entered] = values[wait::priority] = not_known;
  return values;
}

// One interval, which ends at `end`.
WaitValues values_of(const wait_thread& thread, std::uint64_t end, std::int32_t cpu_entered, std::uint32_t flags) {
  const std::uint64_t length = end - std::min(end, std::uint64_t{thread.left});
  const bool runnable = is_runnable(thread.state);
  std::uint64_t run_queue = runnable ? length : 0;
  if (!runnable && thread.woken != 0) run_queue = end - std::clamp(std::uint64_t{thread.woken}, end - length, end);
  if (!runnable && thread.woken != 0) flags |= wait::woken;
  WaitValues values{};
  values[wait::count] = 1;
  values[wait::blocked] = length - run_queue;
  values[wait::run_queue] = run_queue;
  values[wait::longest] = length;
  values[wait::longest_run_queue] = run_queue;
  values[wait::ran] = thread.ran;
  values[wait::unknown] = thread.unknown;
  values[wait::last] = end;
  values[wait::thread_start] = thread.start;
  values[wait::state] = thread.state;
  values[wait::flags] = flags;
  values[wait::cpu_left] = unsigned_of(thread.cpu);
  values[wait::cpu_entered] = unsigned_of(cpu_entered);
  values[wait::priority] = unsigned_of(thread.priority);
  values[wait::cgroup] = thread.cgroup;
  return values;
}

std::unique_ptr<RingBuffer> mapped(int file, std::size_t bytes) {
  if (file < 0) return nullptr;
  auto ring = RingBuffer::map(file, bytes, RingBuffer::Access::consume);
  if (ring) return std::make_unique<RingBuffer>(std::move(*ring));
  throw Error(
      fmt::format("--in-kernel: the ring buffer of the BPF programs cannot be mapped: {}", std::strerror(errno)));
}

}  // namespace

WaitRecorder::WaitRecorder(const WaitPlan& plan, std::unique_ptr<WaitPrograms> programs,
                           std::optional<std::chrono::nanoseconds> every)
    : plan_(plan),
      every_(every),
      programs_(std::move(programs)),
      events_(mapped(programs_->events(), plan.event_bytes)) {}

WaitRecorder::~WaitRecorder() = default;

void WaitRecorder::start(RecordSink& sink) {
  const std::uint64_t attaching = programs_->now();
  programs_->attach();
  begin_ = programs_->now();
  attach_time_ = begin_ - attaching;
  last_sums_ = begin_;
  begin_part(sink);
  programs_->start(begin_);
}

void WaitRecorder::end_part(RecordSink& sink) { begin_ = write_sums(sink); }

void WaitRecorder::begin_part(RecordSink& sink) {
  write_table(begin_, counts_);
  give(sink);
}

// Half of the room is for what comes until the next look.
bool WaitRecorder::is_time(const wait_counts& now) const {
  if (every_ && std::chrono::nanoseconds(programs_->now() - last_sums_) >= *every_) return true;
  const bool has_lost = now.left_out != counts_.left_out || now.no_stack != counts_.no_stack;
  return has_lost || (now.rows - counts_.rows) * 2 >= plan_.rows || (now.stacks - counts_.stacks) * 2 >= plan_.stacks;
}

void WaitRecorder::drain(RecordSink& sink) {
  write_events(sink);
  if (is_time(programs_->counts())) write_sums(sink);
}

// A program that has begun before stop() may still add a row or an event, and note that its thread is on a CPU:
// write_rows() waits until it has ended.
void WaitRecorder::finish(RecordSink& sink) {
  programs_->stop();
  const std::uint64_t time = programs_->now();
  write_rows(time);
  write_events(sink);
  write_open_waits(time);
  write_table(time, programs_->counts());
  give(sink);
}

void WaitRecorder::give(RecordSink& sink) {
  if (!records_.empty()) sink.records(0, records_);
  records_.clear();
}

void WaitRecorder::append(const reader::MeasuredTracepoint& tracepoint, const WaitSample& sample,
                          std::span<const std::uint64_t> values) {
  append_wait_sample(tracepoint, sample, values, records_, plan_.copied_stack);
  ++totals_.samples;
}

// --- stacks ---

std::span<const std::uint64_t> WaitRecorder::words_of(std::uint64_t hash) {
  if (hash == 0) return {};
  auto known = stacks_.find(hash);
  if (known == stacks_.end()) known = stacks_.emplace(hash, KnownStack{.words = programs_->stack(hash)}).first;
  known->second.used = reading_;
  return known->second.words;
}

WaitCallchain WaitRecorder::callchain_of(std::uint64_t kernel, std::uint64_t user) {
  return {.kernel = probe_frames_.without(words_of(kernel)), .user = words_of(user)};
}

// A stack that no wait has used for two readings is forgotten, unless a thread waits on it: without a limit, days of
// different stacks would fill the memory.
void WaitRecorder::take_stacks() {
  constexpr std::size_t enough = 50'000;
  std::unordered_map<std::uint64_t, WaitStack> taken;
  programs_->take_stacks(taken);
  for (auto& [hash, words] : taken) {
    KnownStack& known = stacks_[hash];
    known = {.words = std::move(words), .used = reading_};
  }
  if (stacks_.size() <= enough) return;
  for (const auto& [tid, thread] : programs_->threads()) {
    if (thread.left == 0) continue;
    for (const std::uint64_t hash : {thread.user_stack, thread.kernel_stack}) {
      if (const auto known = stacks_.find(hash); known != stacks_.end()) known->second.used = reading_;
    }
  }
  std::erase_if(stacks_, [&](const auto& one) { return one.second.used + 1 < reading_; });
}

// --- intervals over the threshold ---

// A copy whose event found no room in the ring buffer stays until the next copy of its thread.
void WaitRecorder::take_payload(Bytes payload) {
  constexpr std::size_t most_copies = 1024;
  if (payload.size() >= sizeof(wait_copy)) {
    wait_copy copy{};
    std::memcpy(&copy, payload.data(), sizeof copy);
    if (copies_.size() >= most_copies) copies_.clear();
    copies_[copy.tid].assign(payload.begin(), payload.end());
  } else if (payload.size() >= sizeof(wait_event)) {
    wait_event event{};
    std::memcpy(&event, payload.data(), sizeof event);
    write_event(event);
  }
}

void WaitRecorder::write_event(const wait_event& event) {
  const wait_thread& thread = event.thread;
  if (thread.waker_cpu >= 0) {
    const std::array<std::uint64_t, reader::measured_waker::field_count> values{event.tid};
    append(reader::measured_waker_tracepoint,
           {.pid = static_cast<std::int32_t>(thread.waker_pid),
            .tid = static_cast<std::int32_t>(thread.waker_tid),
            .time = event.end,
            .cpu = thread.waker_cpu,
            .period = 1,
            .stack = callchain_of(thread.waker_kernel_stack, thread.waker_user_stack)},
           values);
  }
  WaitSample sample{.pid = static_cast<std::int32_t>(thread.pid),
                    .tid = static_cast<std::int32_t>(event.tid),
                    .time = event.end,
                    .cpu = event.cpu_entered,
                    .period = event.end - thread.left,
                    .stack = callchain_of(thread.kernel_stack, thread.user_stack)};
  wait_copy copy{};
  const auto payload = copies_.extract(event.tid);
  if (!payload.empty()) std::memcpy(&copy, payload.mapped().data(), sizeof copy);
  CopiedRegisters registers;
  if (!payload.empty() && copy.left == thread.left) {
    registers = in_order_of_perf(copy.registers);
    const Bytes bytes = Bytes(payload.mapped()).subspan(sizeof copy);
    sample.copy = {.abi = registers.abi, .registers = registers.values, .bytes = bytes};
    sample.stack.user = {};
  }
  append(reader::measured_wait_tracepoint, sample, values_of(thread, event.end, event.cpu_entered, wait::single));
}

void WaitRecorder::write_events(RecordSink& sink) {
  if (!events_) return;
  std::size_t bytes = 0;
  while (bytes < events_->capacity()) {  // a pass ends also if the events come faster
    const auto payload = events_->next();
    if (!payload) break;
    bytes += payload->size() + sizeof(std::uint64_t);
    take_payload(*payload);
    events_->release();
  }
  give(sink);
}

// --- sums ---

std::uint64_t WaitRecorder::write_sums(RecordSink& sink) {
  const std::uint64_t time = programs_->now();
  write_rows(time);
  write_table(time, programs_->counts());
  give(sink);
  last_sums_ = time;
  ++reading_;
  return time;
}

// The rows of a thread are neighbours, in the order of their last intervals, so that readers find the thread once, and
// its names in order.
void WaitRecorder::write_rows(std::uint64_t time) {
  std::vector<WaitPrograms::Row> rows = programs_->take_rows();
  take_stacks();  // after the rows, so that no row has a stack that is not there yet
  std::ranges::sort(rows, {}, [](const WaitPrograms::Row& row) {
    return std::tuple(row.first.tid, row.first.thread_start, row.second.last);
  });
  for (const auto& [key, row] : rows) {
    WaitValues values = values_of(key, row);
    if (plan_.cgroups.size() == 1) values[wait::cgroup] = plan_.cgroups.front();
    append(reader::measured_wait_tracepoint,
           {.pid = static_cast<std::int32_t>(row.pid),
            .tid = static_cast<std::int32_t>(key.tid),
            .time = time,
            .cpu = 0,
            .period = row.blocked + row.run_queue,
            .stack = callchain_of(key.kernel_stack, key.user_stack)},
           values);
  }
}

void WaitRecorder::write_open_wait(std::uint32_t tid, const wait_thread& thread, std::uint64_t time) {
  WaitSample sample{.pid = static_cast<std::int32_t>(thread.pid),
                    .tid = static_cast<std::int32_t>(tid),
                    .time = time,
                    .cpu = std::max(thread.cpu, 0),
                    .period = 1,
                    .stack = {}};
  if (thread.left != 0) {
    const WaitValues values = values_of(thread, time, -1, wait::single | wait::goes_on);
    sample.period = values[wait::blocked] + values[wait::run_queue];
    sample.stack = callchain_of(thread.kernel_stack, thread.user_stack);
    return append(reader::measured_wait_tracepoint, sample, values);
  }
  if (thread.came == 0 || thread.gone != 0) return;
  wait_thread running = thread;
  running.left = time;
  running.ran = time - std::min(time, std::uint64_t{thread.came});
  WaitValues values = values_of(running, time, -1, wait::no_wait);
  values[wait::count] = 0;
  append(reader::measured_wait_tracepoint, sample, values);
}

void WaitRecorder::write_open_waits(std::uint64_t time) {
  auto threads = programs_->threads();
  std::ranges::sort(threads, {}, &WaitPrograms::Thread::first);
  for (const auto& [tid, thread] : threads) write_open_wait(tid, thread, time);
}

// Sums of the kernel never fall.
void WaitRecorder::add_cost(std::span<std::uint64_t, table::field_count> values) {
  const ProgramUse use = programs_->use();
  const std::uint64_t recorder_time = clock_time(CLOCK_PROCESS_CPUTIME_ID);
  values[table::recorder_time] = recorder_time - recorder_time_;
  values[table::program_runs] = use.runs - use_.runs;
  values[table::program_time] = use.nanoseconds - use_.nanoseconds;
  values[table::attach_time] = std::exchange(attach_time_, 0);
  use_ = use;
  recorder_time_ = recorder_time;
}

void WaitRecorder::write_table(std::uint64_t time, const wait_counts& now) {
  std::array<std::uint64_t, table::field_count> values{};
  values[table::begin] = begin_;
  values[table::switches] = now.switches - counts_.switches;
  values[table::wakeups] = now.wakeups - counts_.wakeups;
  values[table::left_out] = now.left_out - counts_.left_out;
  values[table::left_out_time] = now.left_out_time - counts_.left_out_time;
  values[table::without_thread] = now.no_thread - counts_.no_thread;
  values[table::without_stack] = now.no_stack - counts_.no_stack;
  values[table::not_sent] = now.not_sent - counts_.not_sent;
  values[table::unseen] = now.unseen - counts_.unseen;
  values[table::filtered] = now.filtered - counts_.filtered;
  add_cost(values);
  append(reader::measured_table_tracepoint, {.pid = 0, .tid = 0, .time = time, .cpu = 0, .period = 1, .stack = {}},
         values);
  --totals_.samples;  // a note, not a wait
  counts_ = now;
  totals_.sent = now.sent;
  totals_.not_sent = now.not_sent;
  totals_.left_out = now.left_out;
  totals_.without_thread = now.no_thread;
  totals_.without_stack = now.no_stack;
}

}  // namespace perfsift::record
