#include "analysis/survey/survey.h"

#include <deque>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "analysis/collect/callchain_table.h"
#include "analysis/collect/frame_counts.h"
#include "analysis/collect/stack_ends.h"
#include "analysis/samples/call_stack.h"
#include "reader/callchain.h"

namespace perfsift::analysis {
namespace {

using reader::Sample;
namespace bit = reader::sample_bit;

// The survey of one thread.
class Surveyor {
 public:
  // `ends`: nullptr without a symbolizer.
  Surveyor(const reader::Recording& recording, symbolize::Symbolizer* symbolizer, StackEnds* ends)
      : timeline_(recording.timeline()),
        streamed_(recording.streamed()),
        call_stack_(recording, {.symbolizer = symbolizer}),
        frames_(timeline_),
        ends_(ends) {
    survey_.named = symbolizer != nullptr;
  }

  void take(const Sample& sample) {
    count_event(sample);
    ++survey_.quality.samples;
    if (has_stack(sample)) ++survey_.quality.callchains;
    if (sample.has(bit::cpu)) ++survey_.cpus[sample.cpu];

    Thread& thread = thread_of(sample);
    if (thread.samples != nullptr) ++*thread.samples;
    if (survey_.named) {
      count_callchain(sample, thread.state);
    } else if (is_truncated(sample)) {
      ++survey_.quality.truncated_stacks;
    }
  }

  void finish() {
    callchains_.look_up_rest();
    const auto known = table_.callchains();
    callchains_.for_each_count([&](const LeafCount& it) { frames_.add(*known[it.callchain], it.amount.samples); });
    if (ends_ == nullptr) return;
    StackEndFinder end_finder(*ends_);
    callchains_.for_each_count([&](const LeafCount& it) {
      const KnownCallchain& chain = *known[it.callchain];
      end_counts_.add(end_finder.of(chain.owner, chain.words()), it.amount.samples);
    });
  }

  const Survey& survey() const { return survey_; }
  const FrameCounts& frames() const { return frames_; }
  const EndCounts& end_counts() const { return end_counts_; }

 private:
  struct Thread {
    std::int32_t pid = 0;
    reader::ThreadState state;
    std::uint64_t* samples = nullptr;  // count of the process, in survey_
  };

  void count_event(const Sample& sample) {
    const std::size_t index = sample.event->index;
    if (survey_.events.size() <= index) survey_.events.resize(index + 1);
    ++survey_.events[index].samples;
    survey_.events[index].period_total += sample.period;
  }

  void count_callchain(const Sample& sample, const reader::ThreadState& state) {
    const CallStack::Stack& stack = call_stack_.of(sample, state);
    const CallchainOwner owner{.maps = state.maps,
                               .kernel_maps = state.kernel_maps,
                               .tail = static_cast<std::uint32_t>(stack.tail),
                               .mode = static_cast<std::uint32_t>(sample.cpumode)};
    if (stack.truncated) ++survey_.quality.truncated_stacks;
    callchains_.add(owner, stack.words(), stack.words_last(), 0, 1);
  }

  Thread& thread_of(const Sample& sample) {
    const auto [found, is_new] = threads_.try_emplace(sample.tid);
    Thread& thread = found->second;
    // The timeline of a stream still grows, so the end of a state is not known yet.
    const bool valid = !is_new && !streamed_ && thread.pid == sample.pid && thread.state.from <= sample.moment &&
                       sample.moment < thread.state.until;
    if (!valid) thread = look_up(sample);
    return thread;
  }

  Thread look_up(const Sample& sample) {
    Thread thread{.pid = sample.pid, .state = timeline_.thread(sample.pid, sample.tid, sample.moment)};
    if (!sample.has(bit::tid)) return thread;
    thread.samples = &survey_.processes[{.pid = sample.pid, .comm = timeline_.comm(sample.tid, thread.state)}];
    return thread;
  }

  const reader::Timeline& timeline_;
  const bool streamed_;
  std::unordered_map<std::int32_t, Thread> threads_;  // by tid, latest state
  CallStack call_stack_;
  CallchainTable table_{1};
  CallchainTable::Counter& callchains_ = table_.new_counter();
  Survey survey_;
  FrameCounts frames_;
  StackEnds* const ends_;
  EndCounts end_counts_;
};

class SurveyVisitor : public reader::SampleVisitor {
 public:
  explicit SurveyVisitor(Surveyor& surveyor) : surveyor_(surveyor) {}
  void sample(const Sample& sample) override { surveyor_.take(sample); }
  void finish() override { surveyor_.finish(); }

 private:
  Surveyor& surveyor_;
};

}  // namespace

void Survey::add(const Survey& other) {
  if (events.size() < other.events.size()) events.resize(other.events.size());
  for (std::size_t i = 0; i < other.events.size(); ++i) {
    events[i].samples += other.events[i].samples;
    events[i].period_total += other.events[i].period_total;
  }
  for (const auto& [cpu, samples] : other.cpus) cpus[cpu] += samples;
  for (const auto& [process, samples] : other.processes) processes[process] += samples;
  quality.add(other.quality);
}

Survey survey_samples(reader::Recording& recording, unsigned threads, symbolize::Symbolizer* symbolizer) {
  std::mutex mutex;
  std::deque<Surveyor> surveyors;
  const auto ends = symbolizer != nullptr ? std::make_unique<StackEnds>(recording.timeline(), *symbolizer) : nullptr;
  recording.visit_parallel(threads, [&](unsigned) {
    const std::lock_guard lock(mutex);
    return std::make_unique<SurveyVisitor>(surveyors.emplace_back(recording, symbolizer, ends.get()));
  });

  Survey survey;
  survey.named = symbolizer != nullptr;
  FrameCounts frames(recording.timeline());
  for (const Surveyor& surveyor : surveyors) {
    survey.add(surveyor.survey());
    frames.add(surveyor.frames());
    if (ends != nullptr) ends->count(surveyor.end_counts(), survey.quality);
  }
  if (symbolizer != nullptr) frames.name(*symbolizer, survey.quality);
  survey.events.resize(recording.events().size());
  survey.quality.add_recorded(recording.stats());
  return survey;
}

}  // namespace perfsift::analysis
