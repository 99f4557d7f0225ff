#include <utility>

#include <perfsift/offcpu.h>

#include "analysis/offcpu/analysis.h"
#include "analysis/offcpu/dispatcher.h"
#include "analysis/offcpu/evidence.h"
#include "analysis/offcpu/folded_intervals.h"
#include "analysis/offcpu/interval_facts.h"
#include "analysis/offcpu/interval_selection.h"
#include "analysis/offcpu/recording_feed.h"
#include "analysis/offcpu/recording_names.h"
#include "library/access.h"
#include "library/filter_state.h"
#include "library/recording_state.h"
#include "library/translated.h"
#include "output/folded/folded.h"

namespace perfsift::v0 {
namespace detail {

struct OffCpuState {
  OffCpuSums sums;
  std::vector<OffCpuThread> threads;
  std::string folded;
};

namespace {

OffCpuSums public_sums(const offcpu::IntervalSums& sums) {
  return {.intervals = sums.count,
          .blocked = sums.blocked,
          .run_queue = sums.run_queue,
          .unknown = sums.unknown,
          .longest = sums.longest};
}

const FilterState* interval_filter(const Filter& filter) {
  const FilterState* state = Access::of(filter);
  if (state != nullptr && state->subject != filter::Subject::interval) {
    throw Error(ErrorCode::usage, "'" + state->text + "': a filter of samples; Filter::of_intervals() makes the other");
  }
  return state;
}

// Shows intervals to a function of the user.
class IntervalShower : public offcpu::Consumer {
 public:
  IntervalShower(const OffCpu::IntervalFunction& visit, const offcpu::Scheduler& scheduler, offcpu::Names& names,
                 offcpu::WaitKinds& waits)
      : visit_(visit), scheduler_(scheduler), names_(names), waits_(waits) {}

  void interval(const offcpu::Interval& interval) override {
    const offcpu::ThreadClock& thread = scheduler_.threads()[interval.thread];
    const std::string comm = names_.recorded_comm(interval.thread);
    OffCpuInterval shown{.pid = thread.pid,
                         .tid = thread.tid,
                         .comm = comm,
                         .start = interval.start,
                         .end = interval.end,
                         .blocked = interval.blocked,
                         .run_queue = interval.run_queue,
                         .unknown = interval.unknown,
                         .complete = interval.is_whole(),
                         .state = interval.state.letter(),
                         .wait = filter::wait_name(waits_.of(interval)),
                         .cpu_left = interval.cpu_left,
                         .cpu_entered = interval.cpu_entered,
                         .stack = stack_of(interval.stack)};
    if (interval.waker.thread != offcpu::no_thread) shown.waker_tid = scheduler_.threads()[interval.waker.thread].tid;
    call_user(visit_, std::as_const(shown));
  }

 private:
  std::span<const std::string_view> stack_of(offcpu::StackId stack) {
    texts_.clear();
    if (stack == offcpu::no_stack) return texts_;
    const offcpu::NamedStack& named = names_.stack(stack);
    for (const analysis::FrameId frame : named.kernel) texts_.push_back(names_.frames().text(frame));
    for (const analysis::FrameId frame : named.user) texts_.push_back(names_.frames().text(frame));
    return texts_;
  }

  const OffCpu::IntervalFunction& visit_;
  const offcpu::Scheduler& scheduler_;
  offcpu::Names& names_;
  offcpu::WaitKinds& waits_;
  std::vector<std::string_view> texts_;
};

// One reading of a recording.
class Reading {
 public:
  Reading(RecordingState& recording, SymbolizerState& symbolizer, const OffCpuOptions& options)
      : recording_(recording),
        versions_(*recording.recording, symbolizer.symbolizer),
        scheduler_(dispatcher_),
        names_(*recording.recording, symbolizer.symbolizer, versions_, scheduler_, stacks_,
               {.demangling = symbolize::DemangleStyle::plain, .inlines = options.inlines}),
        facts_(*recording.recording, symbolizer.symbolizer, scheduler_, stacks_),
        analysis_(scheduler_),
        feed_(*recording.recording, {.symbolizer = &symbolizer.symbolizer, .code_versions = &versions_}, versions_,
              {.waker_stacks = uses_waker_stacks(options.filter)}, scheduler_, stacks_, dispatcher_) {
    if (const FilterState* filter = interval_filter(options.filter)) {
      dispatcher_.select(selection_.emplace(filter->filter, *recording.recording, facts_));
    }
    dispatcher_.add(analysis_);
  }

  void read(const OffCpu::IntervalFunction& visit) {
    if (visit) dispatcher_.add(shower_.emplace(visit, scheduler_, names_, facts_.waits()));
    recording_.recording->visit_in_order(feed_);
    scheduler_.finish();
    analysis_.finish(facts_.waits());
    const offcpu::Evidence evidence{
        .sources = feed_.sources(), .counts = scheduler_.counts(), .whole_intervals = dispatcher_.counts().whole};
    if (const auto why = offcpu::why_nothing_can_be_said(evidence)) {
      throw Error(ErrorCode::input, recording_.path + ": " + *why, recording_.path);
    }
  }

  std::shared_ptr<const OffCpuState> results() {
    auto state = std::make_shared<OffCpuState>();
    state->sums = public_sums(analysis_.all());
    const std::vector<offcpu::IntervalSums>& by_thread = analysis_.by_thread();
    for (offcpu::ThreadNumber number = 0; number < scheduler_.threads().size(); ++number) {
      const offcpu::ThreadClock& thread = scheduler_.threads()[number];
      if (thread.tid == 0) continue;  // a CPU without work
      state->threads.push_back({.pid = thread.pid,
                                .tid = thread.tid,
                                .comm = names_.recorded_comm(number),
                                .run = thread.times.run,
                                .switches = thread.switches,
                                .off_cpu = number < by_thread.size() ? public_sums(by_thread[number]) : OffCpuSums()});
    }
    state->folded = folded();
    return state;
  }

 private:
  static bool uses_waker_stacks(const Filter& filter) {
    const FilterState* state = Access::of(filter);
    return state != nullptr && state->filter.uses_waker_stack();
  }

  std::string folded() {
    offcpu::FoldedIntervals intervals({}, facts_.waits());
    intervals.add(analysis_.groups());
    analysis::Profile profile;
    intervals.fill(profile, names_, std::vector<bool>(scheduler_.threads().size(), true));
    std::string text;
    output::write_folded(profile, {}, [&](std::string_view piece) { text += piece; });
    return text;
  }

  RecordingState& recording_;
  const analysis::CodeVersions versions_;
  offcpu::Dispatcher dispatcher_;
  offcpu::Scheduler scheduler_;
  offcpu::StackTable stacks_;
  offcpu::RecordingNames names_;
  offcpu::IntervalFacts facts_;
  std::optional<offcpu::IntervalSelection> selection_;
  offcpu::Analysis analysis_;
  std::optional<IntervalShower> shower_;
  offcpu::RecordingFeed feed_;
};

std::shared_ptr<const OffCpuState> read_off_cpu(RecordingState& recording, const OffCpuOptions& options,
                                                const OffCpu::IntervalFunction& visit) {
  const Visit only(recording);
  const std::shared_ptr<SymbolizerState> symbolizer = recording.symbolizer_of(options.symbolizer);
  Reading reading(recording, *symbolizer, options);
  reading.read(visit);
  return reading.results();
}

}  // namespace
}  // namespace detail

OffCpu::OffCpu(Recording& recording, const OffCpuOptions& options, const IntervalFunction& visit)
    : state_(detail::translated(
          recording.path(), [&] { return detail::read_off_cpu(*detail::Access::of(recording), options, visit); })) {}
OffCpu::OffCpu(const OffCpu&) = default;
OffCpu& OffCpu::operator=(const OffCpu&) = default;
OffCpu::~OffCpu() = default;

const OffCpuSums& OffCpu::sums() const noexcept { return state_->sums; }
const std::vector<OffCpuThread>& OffCpu::threads() const noexcept { return state_->threads; }
const std::string& OffCpu::folded() const noexcept { return state_->folded; }

}  // namespace perfsift::v0
