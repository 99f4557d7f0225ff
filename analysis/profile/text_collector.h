// Turns text into the stacks of a Profile: the output of `perf script`, and folded stacks.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "analysis/input/folded_text.h"
#include "analysis/input/perf_script_text.h"
#include "analysis/profile/profile.h"
#include "analysis/profile/stack_collector.h"

namespace perfsift::analysis {

// Not thread-safe. `profile` and `options` must live as long as the collector.
class ScriptTextCollector {
 public:
  // The name under which an event is counted, or nothing to leave out its samples.
  using KeepEvent = std::function<std::optional<std::string>(std::string_view event)>;
  ScriptTextCollector(Profile& profile, const StackOptions& options, KeepEvent keep);

  void line(std::string_view line) { text_.line(line); }
  void finish() { text_.finish(); }
  const ScriptTextStats& stats() const { return text_.stats(); }
  // The number of samples that became stacks.
  std::uint64_t kept() const { return kept_; }

 private:
  void sample(const ScriptSample& sample);
  FrameId frame_of(const ScriptFrame& frame);

  Profile& profile_;
  const StackOptions& options_;
  KeepEvent keep_;
  PerfScriptText text_;
  StackList& list_;
  StackBuilder stack_;
  std::uint64_t kept_ = 0;
  std::map<std::string, std::optional<EventId>, std::less<>> events_;
};

// Folded stacks do not tell threads and kernel frames apart, so most options do not apply. Not thread-safe.
class FoldedTextCollector {
 public:
  explicit FoldedTextCollector(Profile& profile);

  void line(std::string_view line) { text_.line(line); }
  const FoldedTextStats& stats() const { return text_.stats(); }

 private:
  Profile& profile_;
  FoldedText text_;
  StackList& list_;
  std::vector<FrameId> frames_;
};

}  // namespace perfsift::analysis
