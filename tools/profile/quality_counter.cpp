#include "tools/profile/quality_counter.h"

namespace perfsift::tools {

QualityCounter::QualityCounter(const reader::Recording& recording, const UnwindOptions& unwind,
                               reader::OrderedVisitor& next)
    : recording_(recording), next_(next), call_stack_(recording, unwind), frames_(recording.timeline()) {}

void QualityCounter::sample(const reader::Sample& sample) {
  ++seen_.samples;
  if (has_stack(sample)) ++seen_.callchains;
  count_frames(sample);
  next_.sample(sample);
}

void QualityCounter::count_frames(const reader::Sample& sample) {
  const reader::ThreadState state = recording_.timeline().thread(sample.pid, sample.tid, sample.moment);
  const CallStack::Stack stack = call_stack_.of(sample, state.maps);
  if (stack.truncated) ++seen_.truncated_stacks;
  frames_.add({.first_word = stack.words.data(),
               .word_count = static_cast<std::uint32_t>(stack.words.size()),
               .owner = {.maps = state.maps,
                         .kernel_maps = state.kernel_maps,
                         .mode = static_cast<std::uint32_t>(sample.cpumode)}},
              1);
}

void QualityCounter::record(const reader::Record& record, const reader::SampleId& id, reader::Moment moment) {
  next_.record(record, id, moment);
}

Quality QualityCounter::quality(symbolize::Symbolizer& symbolizer) const {
  Quality result = seen_;
  result.add_recorded(recording_.stats());
  frames_.name(symbolizer, result);
  return result;
}

}  // namespace perfsift::tools
