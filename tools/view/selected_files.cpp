#include "tools/view/selected_files.h"

#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "analysis/samples/event_selection.h"
#include "base/error.h"
#include "base/path.h"
#include "base/printable.h"
#include "output/flame/flame.h"
#include "output/quality/quality_lines.h"
#include "tools/export/export_content.h"
#include "tools/export/export_format.h"
#include "tools/filter/filter_recording.h"
#include "tools/input_profile.h"
#include "tools/temporary_folder.h"

namespace perfsift::tools {
namespace {

std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The path of a recording that can be read again.
std::string path_of(const PageReading& reading, std::size_t recording) {
  const std::string& path = reading.contents().recordings[recording].name;
  if (path == "-" || !reading.is_recording(recording))
    throw UsageError(printable(path) + ": only samples of a recording in a file can be saved");
  reading.expect_unchanged(recording);
  return path;
}

filter::Filter joined(std::vector<filter::FilterText> texts, const std::string& filter) {
  if (!filter.empty()) texts.push_back({.origin = "filter", .text = filter});
  return filter::Filter::parse(texts);
}

// The bytes of a file that write(out) writes.
template <typename Write>
std::string written(Write&& write) {
  const TemporaryFolder folder;
  const std::string file = folder.file("selected");
  output::OutputFile out(file);
  write(out);
  out.commit();
  return content_of(file);
}

// The first event with stacks; no event has stacks if no sample has frames.
std::string event_name(const analysis::Profile& profile) {
  const std::vector<analysis::EventId> events = profile.events_with_stacks();
  return profile.events()[events.empty() ? 0 : events.front()];
}

void expect_samples(const InputReport& report) {
  if (report.kept == 0) throw UsageError("no samples are selected: there is nothing to save");
}

}  // namespace

std::string selected_recording(const Viewed& viewed, std::size_t recording, const std::string& filter) {
  const std::string path = path_of(viewed.reading, recording);
  const filter::Filter wanted = joined(viewed.reading.kept_by(recording), filter);
  const TemporaryFolder folder;
  const std::string file = folder.file("selected.data");
  output::RunFiles files;
  Progress none(true);
  const FilterOptions options;
  const FilterResult result = filter_recording(
      path, file,
      {.options = options, .filter = wanted, .symbolizer = viewed.inputs.symbolizer(), .split = {}, .files = files},
      viewed.inputs.threads(), none);
  if (!result.error.empty()) throw Error(result.error);
  return content_of(file);
}

std::string selected_picture(const Viewed& viewed, std::size_t recording, const std::string& filter,
                             const PictureLooks& looks) {
  const ProfileCommand& inputs = viewed.inputs;
  const std::string path = path_of(viewed.reading, recording);
  const filter::Filter wanted = joined(inputs.filter_texts(), filter);
  analysis::StackOptions stacks = viewed.stacks;
  stacks.frames.detail = analysis::FrameDetail::function;
  if (looks.samples) stacks.weight = analysis::Weight::samples;
  if (!looks.threads) stacks.comm = false;
  analysis::Profile profile;
  Progress none(true);
  const InputReport report = read_into_profile(
      path, profile,
      {inputs.symbolizer(), stacks, analysis::EventSelection(inputs.events()), wanted, inputs.threads(), none});
  expect_samples(report);
  const analysis::CallTree tree(profile, {.reversed = looks.reversed, .event_frames = false, .by_function = true},
                                inputs.threads());
  const analysis::TreeAmounts amounts(tree);
  output::FlameOptions options;
  options.title = std::string(base_name(path));
  options.subtitle =
      fmt::format("{} sample{}{}{}", report.kept, report.kept == 1 ? "" : "s", filter.empty() ? "" : ": ", filter);
  options.notes = output::quality_lines(report.quality);
  options.unit.name = looks.samples ? "samples" : looks.times ? "time" : event_name(profile);
  options.unit.nanoseconds = looks.times && !looks.samples;
  options.reversed = looks.reversed;
  options.inverted = !looks.upwards;
  options.palette = looks.palette;
  options.search = looks.search;
  return written([&](output::OutputFile& out) { output::write_flame_graph({.amounts = &amounts}, options, out); });
}

std::string selected_profile(const Viewed& viewed, std::size_t recording, const std::string& filter) {
  const ProfileCommand& inputs = viewed.inputs;
  const ExportFormat& format = export_format("pprof");
  const analysis::StackOptions wanted_stacks = stacks_for(format, viewed.stacks);
  const filter::Filter wanted = joined(inputs.filter_texts(), filter);
  ExportContent content(format, FormatOptions());
  Progress none(true);
  const std::vector<InputReport> reports{content.read(
      path_of(viewed.reading, recording),
      {inputs.symbolizer(), wanted_stacks, analysis::EventSelection(inputs.events()), wanted, inputs.threads(), none})};
  expect_samples(reports.front());
  return written(
      [&](output::OutputFile& out) { format.write(content.source(reports, inputs.threads()), FormatOptions(), out); });
}

}  // namespace perfsift::tools
