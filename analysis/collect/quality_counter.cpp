#include "analysis/collect/quality_counter.h"

namespace perfsift::analysis {

QualityCounter::QualityCounter(const reader::Recording& recording, symbolize::Symbolizer& symbolizer,
                               const UnwindOptions& unwind, reader::OrderedVisitor& next)
    : recording_(recording), next_(next), call_stack_(recording, unwind), stacks_(recording.timeline(), symbolizer) {}

void QualityCounter::sample(const reader::Sample& sample) {
  ++seen_.samples;
  if (has_stack(sample)) ++seen_.callchains;
  count_stack(sample);
  next_.sample(sample);
}

void QualityCounter::count_stack(const reader::Sample& sample) {
  const reader::ThreadState state = recording_.timeline().thread(sample.pid, sample.tid, sample.moment);
  const CallStack::Stack& stack = call_stack_.of(sample, state);
  if (stack.truncated) ++seen_.truncated_stacks;
  const reader::Words words = stack.words();
  stacks_.add({.first_word = words.data(),
               .word_count = static_cast<std::uint32_t>(words.size()),
               .owner = {.maps = state.maps,
                         .kernel_maps = state.kernel_maps,
                         .tail = static_cast<std::uint32_t>(stack.tail),
                         .mode = static_cast<std::uint32_t>(sample.cpumode)}},
              1);
}

void QualityCounter::record(const reader::Record& record, const reader::SampleId& id, reader::Moment moment) {
  next_.record(record, id, moment);
}

Quality QualityCounter::quality() {
  seen_.add_recorded(recording_.stats());
  stacks_.move_to(seen_);
  return seen_;
}

}  // namespace perfsift::analysis
