#include "analysis/collect/text_collector.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "analysis/input/dso_name.h"
#include "base/error.h"
#include "base/number_in.h"

namespace perfsift::analysis {

ScriptTextCollector::ScriptTextCollector(Profile& profile, const StackOptions& options, KeepEvent keep)
    : profile_(profile),
      options_(options),
      keep_(std::move(keep)),
      text_([this](const ScriptSample& s) { sample(s); }),
      list_(profile.new_list()),
      stack_(options.shape, profile.frames(), options.frames.detail) {}

void ScriptTextCollector::sample(const ScriptSample& sample) {
  const ScriptHeader& header = sample.header;
  const auto [named, is_new] = events_.try_emplace(std::string(header.event));
  Event& event = named->second;
  if (is_new) {
    event.number = events_.size();
    if (const auto name = keep_(header.event)) event.id = profile_.event(*name);
  }
  ++event.samples;
  if (!event.id) return;

  stack_.begin();
  for (const ScriptFrame& frame : sample.frames) {
    const bool kernel = is_kernel_dso(frame.dso);
    if (stack_.wants(kernel)) stack_.add(frame_of(frame), kernel);
    if (stack_.needs_entries() && kernel) stack_.enter(filter::kernel_entry(frame.symbol));
  }
  stack_.end();
  if (options_.shape.interrupts == Interrupts::drop)
    interrupts_ += {.left_out = stack_.drops_interrupt() ? 1u : 0u, .of = 1};
  if (stack_.unwanted()) return;
  std::optional<FrameId> comm;
  if (options_.comm) {
    const std::int32_t tid = header.tid.value_or(-1);
    const std::string text = thread_frame(header.comm, header.pid, tid, options_);
    if (!text.empty()) comm = profile_.frames().intern(text, {.kind = FrameKind::thread});
  }
  const std::uint64_t period = header.period.value_or(0);
  const std::uint64_t value = options_.weight == Weight::period && period != 0 ? period : 1;
  std::span<const FrameId> frames = stack_.finish(comm);
  const bool of_nobody = frames.empty() && options_.comm && options_.names_no_stack;
  const FrameId no_stack = of_nobody ? profile_.frames().intern(no_stack_frame) : 0;
  if (of_nobody) frames = {&no_stack, 1};
  list_.add(*event.id, frames, {.samples = 1, .value = value});
  if (rows_ != nullptr) add_row(header, *event.id, value, !frames.empty());
  ++kept_;
}

std::string ScriptTextCollector::most_sampled_event() const {
  const auto rank = [](const auto& named) { return std::pair(named.second.samples, ~named.second.number); };
  const auto most = std::ranges::max_element(events_, {}, rank);
  return most != events_.end() ? most->first : std::string();
}

void ScriptTextCollector::add_row(const ScriptHeader& header, EventId event, std::uint64_t value, bool has_frames) {
  SampleRow sample{.time = header.time.value_or(reader::no_time),
                   .value = value,
                   .context = rows_->context({.pid = header.pid.value_or(-1),
                                              .tid = header.tid.value_or(-1),
                                              .comm = std::string(header.comm),
                                              .cgroup = {}}),
                   .cpu = header.cpu ? static_cast<std::int32_t>(*header.cpu) : -1,
                   .event = event};
  if (has_frames) {
    const std::size_t index = list_.entries().size() - 1;
    sample.stack = profile_.first_stack(list_.number()) + static_cast<std::uint32_t>(index);
  }
  rows_->append({&sample, 1});
  sampled_time_.add(sample.time);
}

FrameId ScriptTextCollector::frame_of(const ScriptFrame& frame) {
  const FrameStyle& style = options_.frames;
  const auto address = style.addresses ? std::optional(frame.address) : std::nullopt;
  const std::string_view dso = frame.dso.empty() ? "unknown" : frame.dso;
  std::string text = foldable(frame.symbol.empty() ? unnamed_text(dso, address) : std::string(frame.symbol));
  if (frame.inlined && style.annotate_inline) {
    text += "_[i]";
  } else if (style.annotate_kernel && is_kernel_dso(frame.dso)) {
    text += "_[k]";
  } else if (style.annotate_jit && is_perf_map(frame.dso)) {
    text += "_[j]";
  }
  return style.detail == FrameDetail::text ? profile_.frames().intern(text)
                                           : profile_.frames().intern(text, origin_of(frame));
}

FrameOrigin ScriptTextCollector::origin_of(const ScriptFrame& frame) {
  const FrameDetail detail = options_.frames.detail;
  FrameOrigin origin{.kind = FrameKind::user, .inlined = frame.inlined, .unnamed = frame.symbol.empty()};
  if (is_kernel_dso(frame.dso)) origin.kind = FrameKind::kernel;
  if (is_perf_map(frame.dso)) origin.kind = FrameKind::jit;
  if (!frame.dso.empty()) origin.binary = profile_.frames().binary({.path = std::string(frame.dso), .build_id = {}});
  if (detail == FrameDetail::address) origin.address = frame.address;
  const std::size_t colon = frame.source_line.rfind(':');
  if (detail >= FrameDetail::line && colon != std::string_view::npos) {
    std::string_view line = frame.source_line.substr(colon + 1);
    if (const auto number = take_number<decltype(origin.line)>(line)) {
      origin.line = *number;
      origin.file = profile_.frames().file(frame.source_line.substr(0, colon));
    }
  }
  return origin;
}

FoldedTextCollector::FoldedTextCollector(Profile& profile, FrameDetail detail, FoldedCounts counts,
                                         const EventSelection& keep, Interrupts interrupts)
    : profile_(profile),
      detail_(detail),
      has_before_(keep(counts_before).has_value()),
      has_after_(keep(counts_after).has_value()),
      text_([this, counts](const FoldedStack& stack) { counts == FoldedCounts::two ? add_pair(stack) : add(stack); },
            counts),
      list_(profile.new_list()),
      interrupts_(interrupts) {
  if (interrupts == Interrupts::apart) interrupt_frames_.emplace(profile.frames(), detail);
}

void FoldedTextCollector::add(const FoldedStack& stack) {
  if (stack.fraction != 0 && !in_millionths_) change_to_millionths();
  take_frames(stack);
  if (interrupts_ != Interrupts::keep && !take_interrupt(stack)) return;
  list_.add(profile_.event(in_millionths_ ? millionths : ""), frames_, amount_of(stack.count, stack.fraction));
}

void FoldedTextCollector::take_frames(const FoldedStack& stack) {
  frames_.clear();
  for (const std::string_view frame : stack.frames) frames_.push_back(frame_of(frame));
}

bool FoldedTextCollector::take_interrupt(const FoldedStack& stack) {
  filter::StackContext context;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < stack.frames.size(); ++i) {
    const std::string_view frame = stack.frames[i];
    const filter::KernelEntry entry = filter::kernel_entry(frame.substr(0, frame.find("_[")));
    if (entry == filter::KernelEntry::none) continue;
    if (!context.is_interrupt()) begin = i;
    context.enter(entry);
  }
  const bool left_out = interrupts_ == Interrupts::drop && context.is_interrupt();
  if (interrupts_ == Interrupts::drop) {
    const std::uint64_t samples = stack.before + stack.count;
    stacks_left_out_ += left_out && (samples != 0 || stack.fraction != 0) ? 1 : 0;
    interrupts_left_out_ += {.left_out = left_out ? samples : 0, .of = samples};
  } else if (context.is_interrupt()) {
    frames_.erase(frames_.begin(), frames_.begin() + static_cast<std::ptrdiff_t>(begin));
    frames_.insert(frames_.begin(), interrupt_frames_->of(context.context()));
  }
  return !left_out;
}

void FoldedTextCollector::add_pair(const FoldedStack& stack) {
  take_frames(stack);
  if (interrupts_ != Interrupts::keep && !take_interrupt(stack)) return;
  const auto add_count = [&](const char* event, std::uint64_t count) {
    if (count != 0) list_.add(profile_.event(event), frames_, {.samples = count, .value = count});
  };
  if (has_before_) add_count(counts_before, stack.before);
  if (has_after_) add_count(counts_after, stack.count);
}

// Converts the counts before the first fraction to the same unit.
void FoldedTextCollector::change_to_millionths() {
  in_millionths_ = true;
  std::vector<std::pair<std::vector<FrameId>, Amount>> stacks;
  for (const StackList::Entry& entry : list_.entries()) {
    profile_.get_frames(entry, frames_);
    stacks.emplace_back(frames_, amount_of(entry.amount.value, 0));
  }
  list_.clear();
  const EventId event = profile_.event(millionths);
  for (const auto& [frames, amount] : stacks) list_.add(event, frames, amount);
}

Amount FoldedTextCollector::amount_of(std::uint64_t count, double fraction) {
  if (!in_millionths_) return {.samples = count, .value = count};
  constexpr std::uint64_t million = 1'000'000;
  if (count >= std::numeric_limits<std::uint64_t>::max() / million)
    throw InputError(fmt::format("a count of {} cannot be added to counts with fractions: it is too large", count));
  part_of_sample_ += fraction;
  const auto whole = static_cast<std::uint64_t>(part_of_sample_);
  part_of_sample_ -= static_cast<double>(whole);
  return {.samples = count + whole,
          .value = count * million + static_cast<std::uint64_t>(std::llround(fraction * 1e6))};
}

FrameId FoldedTextCollector::frame_of(std::string_view text) {
  if (detail_ == FrameDetail::text) return profile_.frames().intern(foldable(text));
  FrameOrigin origin;
  const auto take_mark = [&](std::string_view mark) {
    if (text.size() <= mark.size() || !text.ends_with(mark)) return false;  // a text that is only a mark is a name
    text.remove_suffix(mark.size());
    return true;
  };
  if (take_mark("_[k]")) origin.kind = FrameKind::kernel;
  if (take_mark("_[j]")) origin.kind = FrameKind::jit;
  if (take_mark("_[i]"))
    origin = {.kind = origin.kind == FrameKind::other ? FrameKind::user : origin.kind, .inlined = true};
  return profile_.frames().intern(foldable(text), origin);
}

}  // namespace perfsift::analysis
