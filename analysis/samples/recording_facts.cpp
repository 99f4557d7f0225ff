#include "analysis/samples/recording_facts.h"

#include <algorithm>

#include "facts/tracepoint_value.h"
#include "reader/callchain.h"

namespace perfsift::analysis {

using filter::Fact;
using filter::if_any;
using filter::Number;
using reader::CpuMode;
using reader::Sample;
namespace bit = reader::sample_bit;

RecordingFacts::RecordingFacts(const reader::Recording& recording, symbolize::Symbolizer& symbolizer,
                               const filter::Filter& filter, const FilterStacks& stacks)
    : RecordingFacts(recording, symbolizer, filter, stacks, nullptr) {}

RecordingFacts::RecordingFacts(const reader::Recording& recording, symbolize::Symbolizer& symbolizer,
                               const filter::Filter& filter, ResolvedSample& shared)
    : RecordingFacts(recording, symbolizer, filter, {}, &shared) {}

RecordingFacts::RecordingFacts(const reader::Recording& recording, symbolize::Symbolizer& symbolizer,
                               const filter::Filter& filter, const FilterStacks& stacks, ResolvedSample* shared)
    : recording_(recording),
      filter_(filter),
      values_(recording.features()),
      comms_(recording.timeline()),
      code_facts_(recording, symbolizer),
      resolved_(shared != nullptr
                    ? *shared
                    : own_.emplace(recording, UnwindOptions{.symbolizer = filter.uses_stack() ? &symbolizer : nullptr,
                                                            .code_versions = &code_facts_.code_versions(),
                                                            .max_frames = stacks.max_frames})),
      frame_(*this),
      index_(stacks.index),
      tracepoint_texts_(filter.tracepoint_fields().size()) {}

void RecordingFacts::set_sample(const Sample& sample) {
  sample_ = &sample;
  resolved_.set(sample);
  knows_thread_ = false;
  has_frames_ = false;
}

const reader::ThreadState& RecordingFacts::thread() {
  const reader::ThreadState& thread = resolved_.thread();
  if (!knows_thread_) code_facts_.set_thread(thread, sample_->time);
  knows_thread_ = true;
  return thread;
}

std::optional<Number> RecordingFacts::number(Fact fact) {
  if (!filter::is_of_code(fact)) return values_.number(*sample_, fact);
  const bool known = sample_->has(bit::ip) || fact == Fact::cpumode;
  return known ? code_number(sampled_code(), fact) : std::nullopt;
}

std::optional<std::string_view> RecordingFacts::text(Fact fact) {
  switch (fact) {
    case Fact::event:
      return sample_->event->name;
    case Fact::comm:
      return comm();
    case Fact::cgroup:
      return sample_->has(bit::cgroup) ? if_any(recording_.timeline().cgroup(sample_->cgroup)) : std::nullopt;
    case Fact::addr_sym:
    case Fact::addr_dso:
      return data_text(fact);
    default:
      return sample_->has(bit::ip) ? code_text(sampled_code(), fact) : std::nullopt;
  }
}

std::optional<std::string_view> RecordingFacts::comm() {
  if (!sample_->has(bit::tid)) return std::nullopt;
  return comms_.of(sample_->tid, thread().comm);
}

std::optional<Number> RecordingFacts::code_number(const RecordedCode& code, Fact fact) {
  const auto known = code.number(fact);
  return known ? known : code_facts().number(code, fact);
}

std::optional<std::string_view> RecordingFacts::code_text(const RecordedCode& code, Fact fact) {
  return code_facts().text(code, fact);
}

std::optional<std::string_view> RecordingFacts::data_text(Fact fact) {
  if (!sample_->knows(bit::addr)) return std::nullopt;
  return code_facts().data_text(sample_->cpumode, sample_->addr, fact);
}

std::optional<std::uint32_t> RecordingFacts::stack_number() {
  if (index_ != nullptr) return index_->stack_of(sample_->moment.position, index_hint_);
  return stack_numbers_.of({.maps = thread().maps,
                            .kernel_maps = thread().kernel_maps,
                            .code_version = code_facts().code_version(),
                            .mode = sample_->cpumode},
                           stack().words());
}

const std::vector<RecordedCode>& RecordingFacts::frames() {
  if (has_frames_) return frames_;
  has_frames_ = true;
  frames_.clear();
  reader::for_each_frame(stack().words(), sample_->cpumode, [&](CpuMode mode, std::uint64_t ip, bool return_address) {
    frames_.push_back({.mode = mode, .ip = ip, .return_address = return_address});
  });
  return frames_;
}

std::size_t RecordingFacts::stack_depth() { return frames().size(); }

filter::Facts& RecordingFacts::frame(std::size_t index) {
  frame_.set(frames()[index]);
  return frame_;
}

std::span<const std::uint32_t> RecordingFacts::frame_numbers() {
  if (index_ != nullptr) {
    const std::optional<std::uint32_t> stack = stack_number();
    return stack ? index_->frames(*stack) : std::span<const std::uint32_t>();
  }
  code_facts().get_numbers(stack().words(), sample_->cpumode, frame_numbers_);
  return frame_numbers_;
}

bool RecordingFacts::stack_truncated() { return stack().truncated; }

const reader::TracepointField* RecordingFacts::tracepoint_field(std::size_t field) {
  const reader::Event& event = *sample_->event;
  while (tracepoint_fields_.size() <= event.index) tracepoint_fields_.emplace_back();
  auto& known = tracepoint_fields_[event.index];
  const reader::TracepointFormats* const formats = recording_.tracepoints();
  const auto* const format = formats != nullptr ? formats->find(event.tracepoint_id()) : nullptr;
  if (format == nullptr) return nullptr;
  if (known.empty()) {
    for (const filter::TracepointField& wanted : filter_.tracepoint_fields()) {
      known.push_back(facts::find_field(*format, wanted));
    }
  }
  return known[field];
}

filter::TracepointValue RecordingFacts::tracepoint(std::size_t field) {
  const reader::TracepointField* const found = tracepoint_field(field);
  if (found == nullptr || !sample_->has(bit::raw)) return {};
  return facts::tracepoint_value(*recording_.tracepoints(), *found, sample_->raw, tracepoint_texts_[field]);
}

bool RecordingTracepoints::has(const filter::TracepointField& field) const {
  const reader::TracepointFormats* const formats = recording_.tracepoints();
  if (formats == nullptr) return false;
  return std::ranges::any_of(recording_.events(), [&](const auto& event) {
    const auto* const format = formats->find(event->tracepoint_id());
    return format != nullptr && facts::find_field(*format, field) != nullptr;
  });
}

std::vector<std::string> RecordingTracepoints::all() const {
  std::vector<std::string> names;
  const reader::TracepointFormats* const formats = recording_.tracepoints();
  if (formats == nullptr) return names;
  for (const auto& event : recording_.events()) {
    const auto* const format = formats->find(event->tracepoint_id());
    if (format == nullptr) continue;
    for (const reader::TracepointField& field : format->fields) names.push_back(field.name);
  }
  return names;
}

}  // namespace perfsift::analysis
