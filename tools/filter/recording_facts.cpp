#include "tools/filter/recording_facts.h"

#include <algorithm>

#include "dlfilters/recorded_number.h"
#include "reader/callchain.h"
#include "tools/profile/stack_options.h"

namespace perfsift::tools {
namespace {

using filter::Fact;
using filter::Number;
using reader::CpuMode;
using reader::Sample;
namespace bit = reader::sample_bit;

std::optional<std::string_view> if_any(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace

RecordingFacts::RecordingFacts(const reader::Recording& recording, symbolize::Symbolizer& symbolizer,
                               const filter::Filter& filter, const FilterNaming& naming)
    : recording_(recording),
      filter_(filter),
      threads_(recording),
      names_(recording, symbolizer, naming.demangling, PerfStyle::newest),
      call_stack_(recording, {.tables = filter.uses_stack() ? &symbolizer.unwind_tables() : nullptr,
                              .max_frames = naming.max_frames}),
      frame_(*this),
      tracepoint_texts_(filter.tracepoint_fields().size()) {}

void RecordingFacts::set_sample(const Sample& sample) {
  sample_ = &sample;
  thread_ = nullptr;
  has_frames_ = false;
}

const reader::ThreadState& RecordingFacts::thread() {
  if (thread_ == nullptr) {
    thread_ = &threads_.find(sample_->pid, sample_->tid, sample_->moment);
    names_.set_time(*thread_, sample_->time);
  }
  return *thread_;
}

std::optional<Number> RecordingFacts::number(Fact fact) {
  if (!filter::is_of_code(fact)) return dlfilter::recorded_number(*sample_, fact);
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
  const reader::ThreadState& state = thread();
  if (state.comm != 0) return recording_.timeline().name(state.comm);
  const auto [known, is_new] = unnamed_threads_.try_emplace(sample_->tid);
  if (is_new) known->second = recording_.timeline().comm(sample_->tid, state);
  return known->second;
}

std::optional<Number> RecordingFacts::code_number(const Code& code, Fact fact) {
  if (fact == Fact::cpumode) return Number::of(static_cast<std::uint64_t>(code.mode));
  if (fact == Fact::ip) return Number::of(code.ip);
  if (fact == Fact::symoff) {
    const CodeLocation& location = place(code).location;
    if (location.symbol == nullptr) return std::nullopt;
    const std::uint64_t offset = location.offset - location.symbol->start;
    return Number::of(code.return_address ? offset + 1 : offset);
  }
  const Place& found = with_source(code);
  return found.source_line != 0 ? std::optional(Number::of(found.source_line)) : std::nullopt;
}

std::optional<std::string_view> RecordingFacts::code_text(const Code& code, Fact fact) {
  if (fact == Fact::sym) return if_any(place(code).sym);
  if (fact == Fact::dso) return if_any(place(code).dso);
  return if_any(with_source(code).source_file);
}

// Data does not lie where the code's mode says: user's data may be read by the kernel.
std::optional<std::string_view> RecordingFacts::data_text(Fact fact) {
  if (!sample_->has(bit::addr)) return std::nullopt;
  const CodeLocation at = names_.locate_in_any_mode(thread(), sample_->cpumode, sample_->addr);
  if (!at.mapped()) return std::nullopt;
  if (fact == Fact::addr_dso) return names_.binary_name(at);
  return at.symbol != nullptr ? if_any(names_.readable_name(at)) : std::nullopt;
}

RecordingFacts::Place& RecordingFacts::place(const Code& code) {
  const reader::ThreadState& state = thread();
  const std::uint64_t maps = is_kernel_mode(code.mode) ? state.kernel_maps : state.maps;
  const PlaceKey key{.ip = code.ip,
                     .context = maps << 32 | std::uint64_t{names_.code_version()} << 4 |
                                static_cast<std::uint64_t>(code.mode) << 1 | (code.return_address ? 1 : 0)};
  const auto [known, is_new] = places_.try_emplace(key);
  if (is_new) known->second = find_place(code);
  return known->second;
}

// A return address is that of the instruction behind the call.
RecordingFacts::Place RecordingFacts::find_place(const Code& code) {
  const std::uint64_t address = code.return_address && code.ip != 0 ? code.ip - 1 : code.ip;
  Place place{.location = names_.locate(thread(), code.mode, address), .sym = {}, .dso = {}};
  if (!place.location.mapped()) return place;
  place.dso = names_.binary_name(place.location);
  if (place.location.symbol != nullptr) place.sym = names_.readable_name(place.location);
  return place;
}

// The innermost call that was inlined there counts: it is the line that was running.
const RecordingFacts::Place& RecordingFacts::with_source(const Code& code) {
  Place& found = place(code);
  if (found.knows_source || !found.location.mapped()) return found;
  found.knows_source = true;
  const std::vector<SourceCall> calls = names_.source_calls(found.location, false);
  if (calls.empty()) return found;
  found.source_file = calls.front().place.file;
  found.source_line = calls.front().place.line;
  return found;
}

const std::vector<RecordingFacts::Code>& RecordingFacts::frames() {
  if (has_frames_) return frames_;
  has_frames_ = true;
  frames_.clear();
  const CallStack::Stack stack = call_stack_.of(*sample_, thread().maps);
  truncated_ = stack.truncated;
  reader::for_each_frame(stack.words, sample_->cpumode, [&](CpuMode mode, std::uint64_t ip, bool return_address) {
    frames_.push_back({.mode = mode, .ip = ip, .return_address = return_address});
  });
  return frames_;
}

std::size_t RecordingFacts::stack_depth() { return frames().size(); }

filter::Facts& RecordingFacts::frame(std::size_t index) {
  frame_.set(frames()[index]);
  return frame_;
}

bool RecordingFacts::stack_truncated() { return frames(), truncated_; }

const reader::TracepointField* RecordingFacts::tracepoint_field(std::size_t field) {
  const reader::Event& event = *sample_->event;
  while (tracepoint_fields_.size() <= event.index) tracepoint_fields_.emplace_back();
  auto& known = tracepoint_fields_[event.index];
  const reader::TracepointFormats* const formats = recording_.tracepoints();
  const auto* const format = formats != nullptr ? formats->find(event.tracepoint_id()) : nullptr;
  if (format == nullptr) return nullptr;
  if (known.empty()) {
    for (const filter::TracepointField& wanted : filter_.tracepoint_fields()) {
      const bool is_meant = wanted.event.empty() || wanted.event == format->system + ":" + format->name;
      known.push_back(is_meant ? format->find(wanted.name) : nullptr);
    }
  }
  return known[field];
}

filter::TracepointValue RecordingFacts::tracepoint(std::size_t field) {
  const reader::TracepointField* const found = tracepoint_field(field);
  if (found == nullptr || !sample_->has(bit::raw)) return {};
  const reader::TracepointFormats& formats = *recording_.tracepoints();
  if (!found->is_string && !found->is_array) {
    const auto number = formats.number(*found, sample_->raw);
    if (!number) return {};
    return found->is_signed ? Number::of_signed(static_cast<std::int64_t>(*number)) : Number::of(*number);
  }
  tracepoint_texts_[field] = formats.text(*found, sample_->raw);
  return std::string_view(tracepoint_texts_[field]);
}

bool RecordingTracepoints::has(const filter::TracepointField& field) const {
  const reader::TracepointFormats* const formats = recording_.tracepoints();
  if (formats == nullptr) return false;
  return std::ranges::any_of(recording_.events(), [&](const auto& event) {
    const auto* const format = formats->find(event->tracepoint_id());
    if (format == nullptr || format->find(field.name) == nullptr) return false;
    return field.event.empty() || field.event == format->system + ":" + format->name;
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

}  // namespace perfsift::tools
