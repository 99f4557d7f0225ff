#include "analysis/offcpu/interval_facts.h"

#include "analysis/samples/stack_options.h"
#include "reader/callchain.h"

namespace perfsift::offcpu {
namespace {

using filter::Fact;
using filter::Number;

constexpr std::string_view letters = "RSDTtXZPIN?";  // see TaskState::letter()

// The letter as a text with a lasting address.
std::string_view letter_of(TaskState state) { return letters.substr(letters.find(state.letter()), 1); }

std::optional<Number> if_known(std::int32_t number) {
  return number >= 0 ? std::optional(Number::of_signed(number)) : std::nullopt;
}

}  // namespace

IntervalFacts::IntervalFacts(const reader::Recording& recording, symbolize::Symbolizer& symbolizer,
                             const Scheduler& scheduler, const StackTable& stacks)
    : timeline_(recording.timeline()),
      scheduler_(scheduler),
      stacks_(stacks),
      comms_(recording.timeline()),
      code_facts_(recording, symbolizer),
      frame_(code_facts_) {}

void IntervalFacts::set(const Interval& interval) { set(&interval, nullptr, interval.stack); }
void IntervalFacts::set(const OffCpuSum& sum) { set(nullptr, &sum, sum.stack); }

void IntervalFacts::set(const Interval* interval, const OffCpuSum* sum, StackId stack) {
  interval_ = interval;
  sum_ = sum;
  stack_ = stack;
  framed_.reset();
}

std::optional<Number> IntervalFacts::tid_of(ThreadNumber thread) const {
  return thread != no_thread ? if_known(scheduler_.threads()[thread].tid) : std::nullopt;
}

std::optional<Number> IntervalFacts::wait() {
  const std::uint64_t kinds = interval_ != nullptr ? waits_.of(*interval_) : waits_.of_stack(stack_);
  return kinds != 0 ? std::optional(Number::of(kinds)) : std::nullopt;
}

std::optional<Number> IntervalFacts::number_of_sum(Fact fact) {
  if (fact == Fact::wait) return wait();
  if (fact == Fact::pid) return if_known(sum_->pid);
  if (fact == Fact::tid) return if_known(sum_->tid);
  if (fact == Fact::off_cpu && sum_->single) return Number::of(sum_->time);
  return std::nullopt;
}

std::optional<Number> IntervalFacts::number(Fact fact) {
  if (interval_ == nullptr) return number_of_sum(fact);
  switch (fact) {
    case Fact::pid:
      return if_known(scheduler_.threads()[interval_->thread].pid);
    case Fact::tid:
      return tid_of(interval_->thread);
    case Fact::cpu:
      return if_known(interval_->cpu_left);
    case Fact::cpu_entered:
      return if_known(interval_->cpu_entered);
    case Fact::time:
      return Number::of(interval_->start);
    case Fact::end:
      return Number::of(interval_->end);
    case Fact::off_cpu:
      return Number::of(interval_->length());
    case Fact::blocked:
      return Number::of(interval_->blocked);
    case Fact::run_queue:
      return interval_->run_queue_is_known() ? std::optional(Number::of(interval_->run_queue)) : std::nullopt;
    case Fact::unknown:
      return Number::of(interval_->unknown);
    case Fact::whole:
      return Number::of(interval_->is_whole() ? 1 : 0);
    case Fact::waker_tid:
      return tid_of(interval_->waker.thread);
    case Fact::waker_cpu:
      return interval_->waker.thread != no_thread ? if_known(interval_->waker.cpu) : std::nullopt;
    case Fact::next_tid:
      return tid_of(interval_->successor);
    case Fact::wait:
      return wait();
    case Fact::cgroup_id:
      return interval_->cgroup != 0 ? std::optional(Number::of(interval_->cgroup)) : std::nullopt;
    default:
      return std::nullopt;
  }
}

std::optional<std::string_view> IntervalFacts::comm_of(ThreadNumber thread) {
  if (thread == no_thread) return std::nullopt;
  const ThreadClock& clock = scheduler_.threads()[thread];
  return comms_.of(clock.tid, clock.name);
}

std::optional<std::string_view> IntervalFacts::text(Fact fact) {
  if (interval_ == nullptr) {
    if (fact != Fact::comm || stack_ == no_stack) return std::nullopt;
    return comms_.of(sum_->tid, stacks_.owner(stack_).comm);
  }
  switch (fact) {
    case Fact::comm:
      return comm_of(interval_->thread);
    case Fact::waker_comm:
      return comm_of(interval_->waker.thread);
    case Fact::next_comm:
      return comm_of(interval_->successor);
    case Fact::state:
      return letter_of(interval_->state);
    case Fact::cgroup:
      return interval_->cgroup != 0 ? filter::if_any(timeline_.cgroup(interval_->cgroup)) : std::nullopt;
    default:
      return std::nullopt;
  }
}

const std::vector<analysis::RecordedCode>& IntervalFacts::frames(StackId stack) {
  if (framed_ == stack) return frames_;
  framed_ = stack;
  frames_.clear();
  if (stack == no_stack) return frames_;
  const StackOwner& owner = stacks_.owner(stack);
  owner_ = {.comm = owner.comm, .maps = owner.maps, .kernel_maps = owner.kernel_maps};
  code_facts_.set_thread(owner_, code_facts_.code_versions().time_in(owner.code_version));
  const auto add = [&](reader::CpuMode mode, std::uint64_t ip, bool return_address) {
    frames_.push_back({.mode = mode, .ip = ip, .return_address = return_address});
  };
  reader::for_each_frame(stacks_.words(stack), owner.mode, add);
  return frames_;
}

void IntervalFacts::for_each_symbol(StackId stack, bool of_kernel, const EachSymbol& each) {
  for (const analysis::RecordedCode& code : frames(stack)) {
    if (analysis::is_kernel_mode(code.mode) == of_kernel) each(code_facts_.text(code, Fact::sym).value_or(""));
  }
}

void IntervalFacts::forget_stacks() {
  framed_.reset();
  waits_.forget_stacks();
  code_facts_.forget_names();
}

filter::Facts& IntervalFacts::frame_of(StackId stack, std::size_t index) {
  frame_.set(frames(stack)[index]);
  return frame_;
}

}  // namespace perfsift::offcpu
