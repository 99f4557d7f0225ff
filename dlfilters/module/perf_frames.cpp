#include "dlfilters/module/perf_frames.h"

#include <optional>

#include "analysis/samples/stack_options.h"
#include "base/path.h"

namespace perfsift::dlfilter {
namespace {

std::string text(const LocationName& name) {
  if (!name.sym.empty()) return analysis::foldable(name.sym);
  return analysis::foldable(analysis::unnamed_text(name.dso.empty() ? "unknown" : name.dso, std::nullopt));
}

}  // namespace

analysis::FrameId PerfFrames::of(PerfSample& sample, std::size_t index) {
  const PerfSample::Frame& frame = sample.frames()[index];
  const LocationName& name = sample.name_of_frame(index);
  const bool kernel = analysis::is_kernel_mode(frame.mode);
  const auto [known, is_new] = known_.try_emplace({name.sym.data(), name.dso.data(), kernel, frame.guessed}, 0);
  if (is_new) known->second = frames_.intern(text(name) + mark(name, kernel, frame.guessed));
  return known->second;
}

std::string PerfFrames::mark(const LocationName& name, bool kernel, bool guessed) const {
  std::string mark;
  const bool jitted = is_perf_map(name.dso);
  if (style_.annotate_kernel && kernel && !name.dso.empty()) mark += "_[k]";
  if (style_.annotate_jit && jitted) mark += "_[j]";
  if (style_.annotate_guess && guessed) mark += "_[g]";
  return mark;
}

}  // namespace perfsift::dlfilter
