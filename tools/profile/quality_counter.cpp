#include "tools/profile/quality_counter.h"

namespace perfsift::tools {

QualityCounter::QualityCounter(const reader::Recording& recording, reader::OrderedVisitor& next)
    : recording_(recording), next_(next), frames_(recording.timeline()) {}

void QualityCounter::sample(const reader::Sample& sample) {
  ++seen_.samples;
  if (sample.has_callchain) ++seen_.callchains;
  if (is_truncated(sample)) ++seen_.truncated_stacks;
  count_frames(sample);
  next_.sample(sample);
}

void QualityCounter::count_frames(const reader::Sample& sample) {
  const Unaligned<std::uint64_t> ip(sample.ip);
  reader::Words words = call_stack_.of(sample);
  if (words.empty() && sample.has(reader::sample_bit::ip)) words = {&ip, 1};
  const reader::ThreadState state = recording_.timeline().thread(sample.pid, sample.tid, sample.moment);
  frames_.add({.first_word = words.data(),
               .word_count = static_cast<std::uint32_t>(words.size()),
               .owner = {.maps = state.maps,
                         .kernel_maps = state.kernel_maps,
                         .mode = static_cast<std::uint32_t>(sample.cpumode)},
               .samples = 1});
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
