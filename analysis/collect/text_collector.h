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

  // Makes kept samples rows, too. Must be called before the first line. `rows` must live as long as the collector.
  void add_rows_to(TableBuilder& rows) { rows_ = &rows; }

  void line(std::string_view line) { text_.line(line); }
  void finish() { text_.finish(); }
  const ScriptTextStats& stats() const { return text_.stats(); }
  // The number of samples that became stacks.
  std::uint64_t kept() const { return kept_; }
  // The event with most samples in the text, wanted or not; of several, the first in the text; empty: none. The text
  // does not say which events were recorded first, and what happened first may be rare: a page fault of the program's
  // start.
  std::string most_sampled_event() const;
  const InterruptCounts& interrupts() const { return interrupts_; }
  // The time range of the samples that became rows.
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
  struct Event {
    std::optional<EventId> id;  // nothing: it is not wanted
    std::size_t number = 0;     // in the order of the text
    std::uint64_t samples = 0;
  };
  std::map<std::string, Event, std::less<>> events_;
};

// The event of folded text whose counts have fractions. Amounts are whole numbers, so the values are in millionths.
inline constexpr const char* millionths = "millionths";

// The events of folded text with two counts.
inline constexpr const char *counts_before = "before", *counts_after = "after";

// Turns folded stacks into the stacks of a Profile. Folded stacks do not separate threads, so most options do not
// apply. Kernel frames, inlined calls and generated code are known where the text marks them with _[k], _[i] and _[j].
// Entries into the kernel are known by their names alone. Not thread-safe.
class FoldedTextCollector {
 public:
  // With any detail except FrameDetail::text, marks are removed from names. `keep`: the events whose counts are wanted,
  // in text with two counts.
  explicit FoldedTextCollector(Profile& profile, FrameDetail detail = FrameDetail::text,
                               FoldedCounts counts = FoldedCounts::one, const EventSelection& keep = EventSelection({}),
                               Interrupts interrupts = Interrupts::keep);

  void line(std::string_view line) { text_.line(line); }
  const FoldedTextStats& stats() const { return text_.stats(); }
  // The number of samples that were left out, in stacks with samples.
  std::uint64_t stacks_left_out() const { return stacks_left_out_; }
  const InterruptCounts& interrupts() const { return interrupts_left_out_; }

 private:
  void add(const FoldedStack& stack);
  void add_pair(const FoldedStack& stack);
  void take_frames(const FoldedStack& stack);
  // Returns false if the stack is that of an interrupt, and is left out.
  bool take_interrupt(const FoldedStack& stack);
  void change_to_millionths();
  Amount amount_of(std::uint64_t count, double fraction);
  FrameId frame_of(std::string_view text);

  Profile& profile_;
  const FrameDetail detail_;
  const bool has_before_, has_after_;  // the counts that are wanted
  bool in_millionths_ = false;
  double part_of_sample_ = 0.5;  // the fraction of the sum so far: the sum is rounded, not each count
  FoldedText text_;
  StackList& list_;
  std::vector<FrameId> frames_;
  const Interrupts interrupts_;
  std::optional<InterruptFrames> interrupt_frames_;  // set if interrupts are shown separately
  std::uint64_t stacks_left_out_ = 0;
  InterruptCounts interrupts_left_out_;
};

}  // namespace perfsift::analysis
