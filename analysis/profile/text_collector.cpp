#include "analysis/profile/text_collector.h"

#include <fmt/format.h>

#include "base/path.h"

namespace perfsift::analysis {
namespace {

// The text does not mark kernel frames, but the names of their DSOs do: [kernel.kallsyms], [ext4], a module's file,
// vmlinux. Only few DSOs in brackets are not of the kernel.
bool is_kernel_dso(std::string_view dso) {
  const std::string_view base = base_name(dso);
  const bool module = base.find(".ko") != std::string_view::npos;
  const bool user = dso == "[vdso]" || dso == "[vsyscall]" || dso == "[unknown]" || dso == "[heap]" ||
                    dso.starts_with("[stack") || dso.starts_with("[anon");
  return (dso.starts_with('[') && !user) || base.starts_with("vmlinux") || module;
}

}  // namespace

ScriptTextCollector::ScriptTextCollector(Profile& profile, const StackOptions& options, KeepEvent keep)
    : profile_(profile),
      options_(options),
      keep_(std::move(keep)),
      text_([this](const ScriptSample& s) { sample(s); }),
      list_(profile.new_list()),
      stack_(options.shape, profile.frames()) {}

void ScriptTextCollector::sample(const ScriptSample& sample) {
  const ScriptHeader& header = sample.header;
  const auto [event, is_new] = events_.try_emplace(std::string(header.event));
  if (is_new) {
    if (const auto name = keep_(header.event)) event->second = profile_.event(*name);
  }
  if (!event->second) return;

  stack_.begin();
  for (const ScriptFrame& frame : sample.frames) {
    const bool kernel = is_kernel_dso(frame.dso);
    if (stack_.wants(kernel)) stack_.add(frame_of(frame), kernel);
  }
  if (stack_.nothing_of_part()) return;
  std::optional<FrameId> comm;
  if (options_.comm) {
    const std::int32_t tid = header.tid.value_or(-1);
    const std::string text = thread_frame(header.comm, header.pid.value_or(tid), tid, options_);
    comm = profile_.frames().intern(text);
  }
  const std::uint64_t period = header.period.value_or(0);
  const bool by_period = options_.weight == Weight::period && period != 0;
  list_.add(*event->second, stack_.finish(comm), by_period ? period : 1);
  ++kept_;
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
  return profile_.frames().intern(text);
}

FoldedTextCollector::FoldedTextCollector(Profile& profile)
    : profile_(profile),
      text_([this](const FoldedStack& stack) {
        frames_.clear();
        for (const std::string_view frame : stack.frames) frames_.push_back(profile_.frames().intern(foldable(frame)));
        list_.add(profile_.event(""), frames_, stack.count + (stack.fraction >= 0.5 ? 1 : 0));
      }),
      list_(profile.new_list()) {}

}  // namespace perfsift::analysis
