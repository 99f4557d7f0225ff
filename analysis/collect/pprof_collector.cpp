#include "analysis/collect/pprof_collector.h"

#include <algorithm>

#include "analysis/input/dso_name.h"
#include "analysis/input/pprof_fields.h"
#include "analysis/profile/largest_sum.h"
#include "base/error.h"
#include "base/path.h"

namespace perfsift::analysis {
namespace {

// A small file can refer to its locations very often. No real recording has more distinct frames of stacks than this
// limit, and more would not fit into memory.
constexpr std::uint64_t most_frames = std::uint64_t{1} << 28;

// A file may have many samples that the options leave out.
constexpr std::size_t most_reserved = std::size_t{1} << 17;

std::string_view without_suffix(std::string_view text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return {};
  return text.substr(0, text.size() - suffix.size());
}

bool is_pair(const PprofValueType& count, const PprofValueType& value) {
  if (count.unit != pprof::count_unit) return false;
  const std::string_view event = without_suffix(count.type, pprof::sample_suffix);
  if (!event.empty()) return event == without_suffix(value.type, pprof::event_suffix);
  return value.unit != pprof::count_unit || (count.type == "samples" && value.type == "events");
}

std::string pair_name(const PprofValueType& count, const PprofValueType& value) {
  const std::string_view event = without_suffix(count.type, pprof::sample_suffix);
  if (!event.empty()) return std::string(event);
  return value.unit == pprof::count_unit ? std::string() : std::string(value.type);
}

std::string unit_of(const PprofValueType& value) {
  return value.unit == pprof::count_unit ? std::string() : std::string(value.unit);
}

// The type gets no names if an export makes the same names by default.
EventType type_of_pair(const PprofValueType& count, const PprofValueType& value) {
  const bool usual = !without_suffix(count.type, pprof::sample_suffix).empty() || pair_name(count, value).empty();
  if (usual) return {.unit = unit_of(value), .count = {}, .value = {}};
  return {.unit = unit_of(value), .count = std::string(count.type), .value = std::string(value.type)};
}

EventType type_of_single(const PprofValueType& value) {
  return {.unit = unit_of(value), .count = {}, .value = std::string(value.type)};
}

reader::CpuMode mode_of(std::string_view execution_mode) {
  for (const auto& [mode, name] : pprof::execution_modes) {
    if (name == execution_mode) return mode;
  }
  return reader::CpuMode::unknown;
}

std::uint32_t run_of(const PprofLabelValues& labels) {
  return labels.run < 0 ? SumRow::no_run : static_cast<std::uint32_t>(labels.run);
}

SampleContext context_of(const PprofLabelValues& labels) {
  const std::string_view comm = labels.thread_comm.empty() ? labels.comm : labels.thread_comm;
  return {.pid = labels.pid, .tid = labels.tid, .comm = std::string(comm), .cgroup = std::string(labels.cgroup)};
}

std::vector<OtherLabel> copied(const std::vector<PprofLabel>& labels) {
  std::vector<OtherLabel> copies;
  for (const auto& [key, text, number, unit] : labels)
    copies.push_back({.key = std::string(key), .text = std::string(text), .number = number, .unit = std::string(unit)});
  return copies;
}

}  // namespace

std::vector<PprofEvent> pprof_events(const std::vector<PprofValueType>& types) {
  std::vector<PprofEvent> events;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (i + 1 < types.size() && is_pair(types[i], types[i + 1])) {
      events.push_back({.name = pair_name(types[i], types[i + 1]),
                        .count = i,
                        .value = i + 1,
                        .type = type_of_pair(types[i], types[i + 1])});
      ++i;
    } else {
      const bool counts = types[i].unit == pprof::count_unit;
      events.push_back({.name = std::string(types[i].type),
                        .count = counts ? i : PprofEvent::none,
                        .value = i,
                        .type = type_of_single(types[i])});
    }
  }
  return events;
}

PprofCollector::PprofCollector(const PprofProfile& input, Profile& profile, const StackOptions& options, KeepEvent keep)
    : input_(input),
      profile_(profile),
      options_(options),
      events_(pprof_events(input.sample_types())),
      list_(profile.new_list()),
      stack_(options.shape, profile.frames(), options.frames.detail),
      frames_(input.locations()) {
  for (const PprofEvent& event : events_) {
    if (const auto name = keep(event.name)) wanted_.push_back({.event = event, .id = profile.event(*name, event.type)});
  }
}

void PprofCollector::collect() {
  if (rows_ != nullptr) sums_.reserve(std::min(input_.samples(), most_reserved));
  stats_ = input_.visit([this](const PprofSample& sample) { add(sample); });
  if (rows_ != nullptr) rows_->append(std::exchange(sums_, {}));
}

// A sample type without a count gives an amount, but not a number of samples.
Amount PprofCollector::amount_of(const PprofSample& sample, const PprofEvent& event) const {
  const auto value = static_cast<std::uint64_t>(sample.values[event.value]);
  const auto uncounted = options_.count_by_value ? value : std::uint64_t{value != 0 ? 1u : 0u};
  const auto count =
      event.count != PprofEvent::none ? static_cast<std::uint64_t>(sample.values[event.count]) : uncounted;
  return {.samples = count, .value = options_.weight == Weight::samples ? count : value};
}

void PprofCollector::add(const PprofSample& sample) {
  const PprofLabelValues labels = labels_.read(sample);
  count_run(sample, labels);
  SampleContext context = context_of(labels);
  if (rows_ != nullptr && rows_->shape().labels) context.labels = copied(labels_.others());
  find_stack(sample, context);
  if (options_.shape.interrupts == Interrupts::drop) count_interrupt(sample);
  if (!wants_stack_) return;
  bool kept = false;
  for (Wanted& wanted : wanted_) {
    const Amount amount = amount_of(sample, wanted.event);
    if (amount == Amount()) continue;
    add_to_sum(amount, wanted.sum);
    kept = true;
    add_stack(wanted, amount);
    if (rows_ != nullptr) add_row(labels, context, wanted, amount);
  }
  if (kept) ++kept_;
}

// The entry into the kernel by the location's function. Calls inlined into the function do not matter.
filter::KernelEntry PprofCollector::entry_of(const PprofLocation& location) {
  return location.lines.empty() ? filter::KernelEntry::none : filter::kernel_entry(location.lines.back().function);
}

void PprofCollector::count_interrupt(const PprofSample& sample) {
  for (const Wanted& wanted : wanted_) {
    const std::uint64_t samples = amount_of(sample, wanted.event).samples;
    interrupts_ += {.left_out = drops_interrupt_ ? samples : 0, .of = samples};
  }
}

void PprofCollector::count_run(const PprofSample& sample, const PprofLabelValues& labels) {
  const std::uint32_t run = run_of(labels);
  if (last_run_ == nullptr || last_run_->first != run) last_run_ = &*run_samples_.try_emplace(run, 0).first;
  for (const PprofEvent& event : events_) last_run_->second += amount_of(sample, event).samples;
}

// Consecutive samples often have the same stack, one for each thread or run. They become one entry of the list.
void PprofCollector::find_stack(const PprofSample& sample, const SampleContext& context) {
  const bool names_nothing_else = !options_.comm && !options_.cgroup;
  if (names_nothing_else && sample.stack == last_sample_stack_) return;
  last_sample_stack_ = sample.stack;
  stack_.begin();
  for (const PprofLocation* location : sample.locations) {
    const Frames& frames = frames_of(*location);
    if (stack_.wants(frames.kernel)) stack_.add(frames.frames, frames.kernel);
    if (stack_.needs_entries() && frames.may_be_kernel) stack_.enter(entry_of(*location));
  }
  stack_.end();
  drops_interrupt_ = stack_.drops_interrupt();
  wants_stack_ = !stack_.unwanted();
  if (!wants_stack_) return;
  const std::span<const FrameId> frames = finish_stack(context);
  if (std::ranges::equal(frames, last_stack_)) return;
  last_stack_.assign(frames.begin(), frames.end());
  for (Wanted& each : wanted_) each.entry = no_entry;
}

std::span<const FrameId> PprofCollector::finish_stack(const SampleContext& context) {
  std::optional<FrameId> comm, cgroup;
  const auto intern = [&](std::string_view text, FrameKind kind) {
    return profile_.frames().intern(text, {.kind = kind});
  };
  const bool names_thread = !context.comm.empty() || ((options_.pid || options_.tid) && context.tid >= 0);
  if (options_.comm && names_thread)
    comm = intern(thread_frame(context.comm, context.pid, context.tid, options_), FrameKind::thread);
  if (options_.cgroup)
    cgroup = intern(context.cgroup.empty() ? "[unknown cgroup]" : foldable(context.cgroup), FrameKind::cgroup);
  const std::span<const FrameId> frames = stack_.finish(comm, cgroup);
  if (!frames.empty() || !options_.names_no_stack) return frames;
  no_stack_ = intern(no_stack_frame, FrameKind::other);
  return {&no_stack_, 1};
}

void PprofCollector::add_stack(Wanted& wanted, const Amount& amount) {
  if (last_stack_.empty()) return list_.add_frameless(amount);
  if (wanted.entry != no_entry) return list_.increase(wanted.entry, amount);
  stored_frames_ += last_stack_.size();
  if (stored_frames_ > most_frames) throw InputError("the pprof profile stands for more frames than fit into memory");
  list_.add(wanted.id, last_stack_, amount);
  wanted.entry = list_.entries().size() - 1;
}

const PprofCollector::Frames& PprofCollector::frames_of(const PprofLocation& location) {
  Frames& frames = frames_[location.number];
  if (!frames.frames.empty()) return frames;
  frames.kernel = location.mapping != nullptr && location.mapping->path != pprof::lost_mapping &&
                  is_kernel_dso(location.mapping->path);
  frames.may_be_kernel = frames.kernel || location.mapping == nullptr || location.mapping->path.empty();
  for (std::size_t line = 0; line < std::max<std::size_t>(location.lines.size(), 1); ++line)
    frames.frames.push_back(frame_of(location, line, frames.kernel));
  return frames;
}

FrameId PprofCollector::frame_of(const PprofLocation& location, std::size_t number, bool kernel) {
  const FrameStyle& style = options_.frames;
  const PprofMapping* mapping = location.mapping;
  const std::uint64_t offset = location.address - (mapping != nullptr ? mapping->start - mapping->offset : 0);
  const std::string_view path = mapping == nullptr || mapping->path.empty() ? "unknown" : mapping->path;
  const PprofLine line = location.lines.empty() ? PprofLine() : location.lines[number];
  const std::string without_name = unnamed_text(path, std::nullopt);
  const bool unnamed = line.function.empty() || line.function == without_name;
  const bool inlined = number + 1 < location.lines.size(), jit = is_perf_map(path);
  std::string text = foldable(
      !unnamed ? std::string(line.function)
               : unnamed_text(path, style.addresses && location.address != 0 ? std::optional(offset) : std::nullopt));
  if (inlined && style.annotate_inline) text += "_[i]";
  if (kernel && style.annotate_kernel) text += "_[k]";
  if (jit && style.annotate_jit) text += "_[j]";
  if (style.detail == FrameDetail::text) return profile_.frames().intern(text);

  FrameOrigin origin{.kind = kernel ? FrameKind::kernel
                             : jit  ? FrameKind::jit
                                    : FrameKind::user,
                     .inlined = inlined,
                     .unnamed = unnamed};
  if (mapping != nullptr && mapping->path == pprof::lost_mapping) {
    origin = {.kind = FrameKind::other};
  } else if (mapping != nullptr && !mapping->path.empty()) {
    origin.binary = profile_.frames().binary(
        {.path = std::string(mapping->path), .build_id = BuildId::from_hex(mapping->build_id)});
  }
  if (style.detail == FrameDetail::address && origin.kind != FrameKind::other) origin.address = offset;
  if (style.detail >= FrameDetail::line) origin.line = line.line;
  if (!line.file.empty()) origin.file = profile_.frames().file(line.file);
  return profile_.frames().intern(text, origin);
}

std::uint32_t PprofCollector::number_of(const SampleContext& context, const PprofLabelValues& labels) {
  if (last_context_ && last_context_->first == context) return last_context_->second;
  last_context_ = {context, rows_->context(context)};
  const bool names_process = labels.pid >= 0 && !labels.comm.empty();
  if (names_process && named_processes_.insert(labels.pid).second)
    rows_->name_process(labels.pid, std::string(labels.comm));
  return last_context_->second;
}

void PprofCollector::add_row(const PprofLabelValues& labels, const SampleContext& context, const Wanted& wanted,
                             const Amount& amount) {
  SumRow row{.amount = amount,
             .context = number_of(context, labels),
             .cpu = labels.cpu,
             .event = wanted.id,
             .mode = static_cast<std::uint32_t>(mode_of(labels.execution_mode)),
             .run = run_of(labels),
             .block = labels.block < 0 ? 0 : static_cast<std::uint32_t>(labels.block)};
  if (wanted.entry != no_entry) row.stack = first_stack_ + static_cast<std::uint32_t>(wanted.entry);
  sums_.push_back(row);
}

}  // namespace perfsift::analysis
