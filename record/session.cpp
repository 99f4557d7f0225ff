#include "record/session.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <sys/eventfd.h>

#include "base/error.h"
#include "reader/format/event.h"
#include "record/attr_configuration.h"
#include "record/events/system_settings.h"
#include "record/machine/limits.h"
#include "record/open_counters.h"
#include "record/ring_set.h"
#include "record/traces.h"
#include "record/wake_ups.h"
#include "record/workload.h"

namespace perfsift::record {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t stored_attr_size = 144;

void refuse_contradictions(const SessionPlan& plan) {
  if (plan.events.empty()) throw UsageError("no event to record");
  const bool per_cpu = plan.target.system_wide || !plan.target.cgroups.empty();
  if (per_cpu && plan.target.names_threads()) {
    throw UsageError("all threads of CPUs or of a cgroup, or certain processes and threads: not both");
  }
  for (std::size_t index = 0; index < plan.events.size(); ++index) {
    if (plan.events[index].leader > index) throw UsageError("the leader of a group must come first");
  }
  refuse_impossible_traces(plan);
  if (plan.rings.threads.empty()) return;
  if (plan.target.per_thread && !plan.target.on_cpus())
    throw UsageError("several threads read the rings of CPUs, and --per-thread has rings of threads");
  if (std::ranges::any_of(plan.events, [&](const EventRequest& event) { return is_overwritten(plan, event); }))
    throw UsageError("several threads read ordinary rings only, and overwritten rings were asked for");
  if (records_traces(plan)) throw UsageError("several threads read no AUX areas, and a trace was asked for");
}

RingSet::Sizes ring_sizes(const SessionPlan& plan) {
  const RingPlan& rings = plan.rings;
  const std::size_t aux = records_traces(plan) ? aux_area_bytes(rings, SystemSettings::read().may_observe) : 0;
  return {.ordinary = ordinary_ring_bytes(rings), .overwritten = ring_bytes(rings), .aux = aux};
}

}  // namespace

class Session::State {
 public:
  explicit State(SessionPlan plan) : plan_(std::move(plan)) {
    refuse_contradictions(plan_);
    // The command is started before the limit of open files may be raised, so that the command keeps its own limit.
    if (!plan_.target.command.empty()) workload_.emplace(plan_.target.command);
    events_ = configured_events(plan_, max_sample_rate(folders_.proc), left_out_);
    counters_ = open_counters({plan_, command_pid(), folders_}, events_, left_out_);
    rings_.emplace(counters_, events_, ring_sizes(plan_), left_out_);
    if (plan_.rings.threads.empty()) {
      add_wake_ups();
    } else {
      add_groups();
    }
    if (workload_ && workload_->end_fd() >= 0) wake_ups_.add_end_of_command(workload_->end_fd());
    add_entries();
  }

  std::optional<std::int32_t> command_pid() const { return workload_ ? std::optional(workload_->pid()) : std::nullopt; }

  void start() {
    if (!plan_.start_disabled && !plan_.delay && !enabled_on_exec(plan_)) enable();
    if (workload_) workload_->execute();
    if (plan_.delay) enable_at_ = Clock::now() + *plan_.delay;
  }

  // A disabled leader stops its group, so only leaders are touched.
  void enable() {
    enable_at_.reset();
    stopped_ = false;
    for_each_leader([](Counter& counter) { counter.enable(); });
  }
  void disable() {
    enable_at_.reset();
    stopped_ = true;
    for_each_leader([](Counter& counter) { counter.disable(); });
  }
  void stop() {
    enable_at_.reset();
    stopped_ = true;
    for (OpenCounter& open : counters_) open.counter.disable();
  }

  void watch(int fd) { wake_ups_.add_other(fd); }
  void wait() {
    wake_ups_.wait(longest_wait());
    eventfd_t ends = 0;
    if (ended_) eventfd_read(ended_.get(), &ends);
    if (enable_at_ && Clock::now() >= *enable_at_) enable();
  }

  void drain(RecordSink& sink) {
    rings_->drain(sink);
    if (!stopped_) rings_->continue_traces(counters_);
  }

  bool running() {
    if (workload_) return !workload_->status();
    return plan_.target.on_cpus() || wake_ups_.live() != 0 ||
           std::ranges::any_of(groups_, [](const auto& group) { return group->live() != 0; });
  }

  std::vector<CounterInfo> counter_infos() const {
    std::vector<CounterInfo> infos;
    for (std::size_t index = 0; index < counters_.size(); ++index) {
      const OpenCounter& open = counters_[index];
      infos.push_back({open.counter.id(), open.event, rings_->ring_of(index), open.place});
    }
    return infos;
  }

  std::vector<std::optional<Counter::Count>> counts() const {
    std::vector<std::optional<Counter::Count>> counts;
    for (const OpenCounter& open : counters_) counts.push_back(open.counter.read());
    return counts;
  }

  bool resize_overwritten(std::size_t bytes) {
    RingPlan plan = plan_.rings;
    plan.bytes = bytes;
    return rings_->resize_overwritten(counters_, ring_bytes(plan));
  }

  std::vector<RingCounts> ring_counts() const { return rings_->counts(counters_); }
  RingSet& rings() { return *rings_; }
  const RingSet& rings() const { return *rings_; }
  std::optional<Workload>& workload() { return workload_; }
  const std::vector<std::unique_ptr<RingGroup>>& groups() const { return groups_; }
  const std::vector<reader::EventEntry>& entries() const { return entries_; }
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  // The dummy event is left enabled: it has no samples, and names what others sample later.
  template <typename Change>
  void for_each_leader(Change change) {
    for (OpenCounter& open : counters_) {
      const SessionEvent& event = events_[open.event];
      if (event.request && event.leader == open.event) change(open.counter);
    }
  }

  std::chrono::milliseconds longest_wait() const {
    const std::chrono::milliseconds longest = plan_.rings.longest_wait;
    if (!enable_at_) return longest;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*enable_at_ - Clock::now());
    return std::clamp(left, std::chrono::milliseconds(0), longest);
  }

  // One counter of each place is enough to see fills and ends. Overwritten rings wake nobody.
  template <typename Add>
  void for_each_place(Add add) {
    std::set<std::pair<std::int32_t, std::int32_t>> places;
    for (std::size_t index = 0; index < counters_.size(); ++index) {
      const OpenCounter& open = counters_[index];
      if (rings_->is_overwritten(rings_->ring_of(index))) continue;
      if (places.emplace(open.place.tid, open.place.cpu).second) add(open, rings_->ring_of(index));
    }
  }

  void add_wake_ups() {
    for_each_place([this](const OpenCounter& open, std::size_t /*ring*/) { wake_ups_.add(open.counter); });
  }

  // CPUs that no thread names have records beside samples only: the first thread reads them.
  RingGroup& group_of(std::int32_t cpu) {
    const auto has_cpu = [&](const RingThread& thread) {
      return std::ranges::find(thread.cpus, static_cast<unsigned>(cpu)) != thread.cpus.end();
    };
    const auto found = std::ranges::find_if(plan_.rings.threads, has_cpu);
    return *groups_[found == plan_.rings.threads.end() ? 0
                                                       : static_cast<std::size_t>(found - plan_.rings.threads.begin())];
  }

  void add_groups() {
    ended_ = FileDescriptor(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
    if (!ended_) throw Error(fmt::format("eventfd: {}", std::strerror(errno)));
    wake_ups_.add_other(ended_.get());
    for (const RingThread& thread : plan_.rings.threads)
      groups_.push_back(std::make_unique<RingGroup>(*rings_, thread, plan_.rings.longest_wait, ended_.get()));
    std::set<std::size_t> rings;
    for_each_place([&](const OpenCounter& open, std::size_t ring) {
      RingGroup& group = group_of(open.place.cpu);
      group.add(open.counter);
      if (rings.insert(ring).second) group.add(ring);
    });
    std::erase_if(groups_, [](const auto& group) { return group->rings().empty(); });
  }

  void add_entries() {
    for (const SessionEvent& event : events_) {
      entries_.push_back({reader::encode_event_attr(event.attr, stored_attr_size, ByteOrder::native), {}});
      names_.push_back(event.name);
    }
    for (const OpenCounter& open : counters_) entries_[open.event].ids.push_back(open.counter.id());
  }

  const SessionPlan plan_;
  const KernelRoots folders_;
  std::vector<std::string> left_out_;
  std::optional<Workload> workload_;
  std::vector<SessionEvent> events_;
  std::vector<OpenCounter> counters_;
  std::optional<RingSet> rings_;
  WakeUps wake_ups_;
  FileDescriptor ended_;  // an eventfd: a group has noticed the end of a thread
  std::vector<std::unique_ptr<RingGroup>> groups_;
  std::optional<Clock::time_point> enable_at_;
  bool stopped_ = false;  // by disable() or stop()
  std::vector<reader::EventEntry> entries_;
  std::vector<std::string> names_;
};

Session::Session(SessionPlan plan) : state_(std::make_unique<State>(std::move(plan))) {}
Session::~Session() = default;

const std::vector<reader::EventEntry>& Session::events() const { return state_->entries(); }
const std::vector<std::string>& Session::event_names() const { return state_->names(); }
std::vector<CounterInfo> Session::counters() const { return state_->counter_infos(); }
const std::vector<std::string>& Session::left_out() const { return state_->left_out(); }
std::optional<reader::TimeConv> Session::time_conversion() const { return state_->rings().time_conversion(); }
std::size_t Session::rings() const { return state_->rings().size(); }
std::optional<std::int32_t> Session::command_pid() const { return state_->command_pid(); }

void Session::start() { state_->start(); }
void Session::enable() { state_->enable(); }
void Session::disable() { state_->disable(); }
void Session::stop() { state_->stop(); }
void Session::wait() { state_->wait(); }
void Session::drain(RecordSink& sink) { state_->drain(sink); }
const std::vector<std::unique_ptr<RingGroup>>& Session::groups() const { return state_->groups(); }
std::vector<RingCopy> Session::copy_overwritten() const { return state_->rings().copy_overwritten(); }
void Session::give(std::vector<RingCopy> copies, RecordSink& sink) { state_->rings().give(std::move(copies), sink); }
bool Session::resize_overwritten(std::size_t bytes) { return state_->resize_overwritten(bytes); }
std::vector<RingFill> Session::overwritten_rings() const { return state_->rings().fills(); }
bool Session::running() { return state_->running(); }
std::vector<std::optional<Counter::Count>> Session::counts() const { return state_->counts(); }
std::vector<RingCounts> Session::ring_counts() const { return state_->ring_counts(); }
void Session::watch(int fd) { state_->watch(fd); }

std::optional<int> Session::command_status() {
  return state_->workload() ? state_->workload()->status() : std::nullopt;
}

void Session::signal_command(int number) {
  if (state_->workload()) state_->workload()->signal(number);
}

}  // namespace perfsift::record
