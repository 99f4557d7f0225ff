#include "record/sampler.h"

#include <cerrno>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "base/error.h"
#include "reader/format/event.h"
#include "record/events/trace_units.h"
#include "record/machine/limits.h"

namespace perfsift::record {

namespace {

namespace flag = reader::attr_flag;

SessionPlan session_plan(const SamplerPlan& plan) {
  if (plan.events.empty()) throw UsageError("no event to sample");
  for (const EventRequest& event : plan.events) {
    if (event.trace || is_other_trace_unit(event.pmu))
      throw UsageError(
          fmt::format("{}: the samples are in a trace, which is decoded when a recording is read: use "
                      "perfsift record",
                      event.name));
  }
  SessionPlan session;
  session.events = plan.events;
  session.content = plan.content;
  session.rings.bytes = plan.ring_bytes;
  session.target.per_thread = plan.thread.has_value();
  if (plan.thread) {
    session.target.threads = {*plan.thread};
  } else {
    session.target.processes = {static_cast<std::int32_t>(getpid())};
  }
  return session;
}

// The events without the dummy event of a session. Threads inherit them, while children of fork() are other programs.
// Their samples have one layout: see Sampler::events().
std::vector<SessionEvent> sampling_events(const SessionPlan& plan, std::vector<std::string>& left_out) {
  std::vector<SessionEvent> events = configured_events(plan, max_sample_rate(KernelRoots().proc), left_out);
  std::erase_if(events, [](const SessionEvent& event) { return !event.request; });
  for (SessionEvent& event : events) {
    event.attr.sample_type |= reader::sample_bit::identifier | reader::sample_bit::period;
    event.attr.set(flag::inherit_thread, event.attr.inherit());
  }
  return events;
}

// ioctl(2) of a signal handler must not change the errno of the code that the signal interrupts.
template <typename Change>
bool change_all(const std::vector<Counter*>& counters, Change change) noexcept {
  const int before = errno;
  bool all = true;
  for (Counter* counter : counters) all = (counter->*change)() && all;
  errno = before;
  return all;
}

}  // namespace

Sampler::Sampler(const SamplerPlan& plan) : process_(getpid()) {
  const SessionPlan session = session_plan(plan);
  const KernelRoots folders;
  events_ = sampling_events(session, left_out_);
  counters_ = open_counters({session, std::nullopt, folders}, events_, left_out_);
  for (OpenCounter& open : counters_) {
    if (events_[open.event].leader == open.event) leaders_.push_back(&open.counter);
  }
  rings_ = std::make_unique<RingSet>(
      counters_, events_, RingSet::Sizes{.ordinary = ring_bytes(session.rings), .overwritten = 0}, left_out_);
}

// A descriptor that a child of fork() still has would keep the events alive, so the events are disabled.
Sampler::~Sampler() {
  if (!is_inert()) stop();
  if (is_inert()) [[maybe_unused]]
    const RingSet* const rings_of_parent = rings_.release();
}

bool Sampler::is_inert() const noexcept { return getpid() != process_; }
bool Sampler::start() noexcept { return !is_inert() && change_all(leaders_, &Counter::enable); }
bool Sampler::stop() noexcept { return !is_inert() && change_all(leaders_, &Counter::disable); }

void Sampler::drain(RecordSink& sink) {
  if (is_inert()) return;
  const std::lock_guard lock(mutex_);
  rings_->drain(sink);
}

std::uint64_t Sampler::lost() const {
  if (is_inert()) return 0;
  const std::lock_guard lock(mutex_);
  return lost_of(rings_->counts(counters_));
}

}  // namespace perfsift::record
