#include "tools/picture/chosen_part.h"

#include <fmt/format.h>

#include "base/counted.h"

namespace perfsift::tools {
namespace {

using analysis::StackOptions;
using analysis::StackPart;

bool has_samples(const InputReport& report) {
  return report.kind == analysis::InputKind::recording || report.kind == analysis::InputKind::perf_script_text;
}

// Options of filters have become expressions; that of a file may be long.
std::string sentence_of(const filter::FilterText& filter) {
  const bool is_option = filter.origin.starts_with("--");
  return is_option ? "only samples with " + filter.text : fmt::format("only samples that {} keeps", filter.origin);
}

// Quality is counted over all samples that passed the filter, also those without frames of the wanted part.
std::string sentence_of(StackPart part, const analysis::Quality& quality, std::uint64_t kept) {
  const bool kernel = part == StackPart::kernel_only;
  std::string text = kernel ? "only frames of the kernel (--kernel-only)" : "only frames of user code (--user-only)";
  if (const std::uint64_t with_part = kept + quality.interrupts.left_out; quality.samples > with_part) {
    text += fmt::format("; {} of {} have none, and count in the shares of stacks below", quality.samples - with_part,
                        counted(quality.samples, "sample"));
  }
  return text;
}

}  // namespace

std::uint64_t samples_left_out(std::span<const InputReport> reports) {
  std::uint64_t count = 0;
  for (const InputReport& report : reports) {
    // The values of a group are several samples of one record.
    if (has_samples(report) && report.samples > report.kept) count += report.samples - report.kept;
  }
  return count;
}

std::vector<std::string> notes_of_choices(const ProfileCommand& inputs, const StackOptions& stacks) {
  std::vector<std::string> notes;
  for (const filter::FilterText& filter : inputs.filter_texts()) notes.push_back(sentence_of(filter));
  if (stacks.shape.part != StackPart::all) {
    std::uint64_t kept = 0;
    for (const InputReport& report : inputs.reports()) kept += report.kept;
    notes.push_back(sentence_of(stacks.shape.part, inputs.quality(), kept));
  }
  if (stacks.shape.recursion == analysis::Recursion::direct)
    notes.emplace_back("a function that calls itself is one frame (--collapse-recursion)");
  if (stacks.shape.recursion == analysis::Recursion::cycles)
    notes.emplace_back("what a function calls until it is called again is left out (--collapse-recursion=cycles)");
  if (stacks.shape.max_depth != 0)
    notes.push_back(fmt::format("stacks end after {} (--max-depth)", counted(stacks.shape.max_depth, "frame")));
  if (stacks.unwind.max_frames != StackOptions().unwind.max_frames) {
    notes.push_back(
        fmt::format("stacks are unwound to at most {} (--max-stack)", counted(stacks.unwind.max_frames, "frame")));
  }
  if (!stacks.frames.inlines) notes.emplace_back("no frames for inlined calls (--no-inline)");
  return notes;
}

}  // namespace perfsift::tools
