// Turns text into the stacks of a Profile: the output of `perf script`, and folded stacks.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "analysis/collect/stack_collector.h"
#include "analysis/input/folded_text.h"
#include "analysis/input/perf_script_text.h"
#include "analysis/profile/profile.h"
#include "analysis/profile/time_span.h"
#include "analysis/samples/event_selection.h"
#include "analysis/table/table_builder.h"

namespace perfsift::analysis {

// Not thread-safe. `profile` and `options` must live as long as the collector.
class ScriptTextCollector {
 public:
  // The name under which an event is counted, or nothing to leave out its samples.
  using KeepEvent = std::function<std::optional<std::string>(std::string_view event)>;
  ScriptTextCollector(Profile& profile, const StackOptions& options, KeepEvent keep);

  // Kept samples become rows, too. Must be called before the first line. `rows` must live as long as the collector.
  void add_rows_to(TableBuilder& rows) { rows_ = &rows; }

  void line(std::string_view line) { text_.line(line); }
  void finish() { text_.finish(); }
  const ScriptTextStats& stats() const { return text_.stats(); }
  // The number of samples that became stacks.
  std::uint64_t kept() const { return kept_; }
  const InterruptCounts& interrupts() const { return interrupts_; }
  // Of the samples that became rows.
  const TimeSpan& sampled_time() const { return sampled_time_; }

 private:
  void sample(const ScriptSample& sample);
  FrameId frame_of(const ScriptFrame& frame);
  FrameOrigin origin_of(const ScriptFrame& frame);
  void add_row(const ScriptHeader& header, EventId event, std::uint64_t value, bool has_frames);

  Profile& profile_;
  const StackOptions& options_;
  KeepEvent keep_;
  PerfScriptText text_;
  StackList& list_;
  TableBuilder* rows_ = nullptr;  // nullptr: no rows are wanted
  StackBuilder stack_;
  std::uint64_t kept_ = 0;
  InterruptCounts interrupts_;
  TimeSpan sampled_time_;
  std::map<std::string, std::optional<EventId>, std::less<>> events_;
};

// The event of folded text whose counts have fractions: amounts are whole numbers, so values are in millionths.
inline constexpr const char* millionths = "millionths";

// The events of folded text with two counts.
inline constexpr const char *counts_before = "before", *counts_after = "after";

// Folded stacks do not tell threads apart, so most options do not apply. Kernel frames, inlined calls and code made at
// run time are known where the text marks them with _[k], _[i] and _[j]; entries of the kernel by their names alone.
// Not thread-safe.
class FoldedTextCollector {
 public:
  // With any detail but FrameDetail::text, marks are taken from names. `keep`: the events of text with two counts whose
  // counts are wanted.
  explicit FoldedTextCollector(Profile& profile, FrameDetail detail = FrameDetail::text,
                               FoldedCounts counts = FoldedCounts::one, const EventSelection& keep = EventSelection({}),
                               Interrupts interrupts = Interrupts::keep);

  void line(std::string_view line) { text_.line(line); }
  const FoldedTextStats& stats() const { return text_.stats(); }
  // In stacks with samples.
  std::uint64_t stacks_left_out() const { return stacks_left_out_; }
  const InterruptCounts& interrupts() const { return interrupts_left_out_; }

 private:
  void add(const FoldedStack& stack);
  void add_pair(const FoldedStack& stack);
  void take_frames(const FoldedStack& stack);
  // False: the stack is one of an interrupt, and is left out.
  bool take_interrupt(const FoldedStack& stack);
  void change_to_millionths();
  Amount amount_of(std::uint64_t count, double fraction);
  FrameId frame_of(std::string_view text);

  Profile& profile_;
  const FrameDetail detail_;
  const bool has_before_, has_after_;  // wanted
  bool in_millionths_ = false;
  double part_of_sample_ = 0.5;  // of the stacks so far, so that their sum is rounded and not each count
  FoldedText text_;
  StackList& list_;
  std::vector<FrameId> frames_;
  const Interrupts interrupts_;
  std::optional<InterruptFrames> interrupt_frames_;  // if interrupts are kept apart
  std::uint64_t stacks_left_out_ = 0;
  InterruptCounts interrupts_left_out_;
};

}  // namespace perfsift::analysis
