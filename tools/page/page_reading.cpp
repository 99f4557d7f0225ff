#include "tools/page/page_reading.h"

#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/selection/gaps.h"
#include "base/version.h"
#include "output/files/output_file.h"
#include "output/page/page.h"
#include "output/quality/quality_lines.h"
#include "tools/page/wait_reading.h"

namespace perfsift::tools {
namespace {

std::string title_of(const std::vector<std::string>& paths) {
  std::vector<std::string> titles;
  for (const std::string& path : paths) {
    titles.push_back(path == "-" ? "standard input" : std::filesystem::path(path).filename().string());
  }
  return fmt::format("{}", fmt::join(titles, ", "));
}

using Facts = std::vector<std::pair<std::string, std::string>>;

Facts facts_of(const InputReport& report) {
  Facts facts{{"kind", std::string(analysis::kind_name(report.kind))}};
  const auto add = [&](const char* label, const std::string& text) {
    if (!text.empty()) facts.emplace_back(label, text);
  };
  if (!report.recording) return facts;
  const analysis::RecordingDescription& recording = *report.recording;
  add("host", recording.hostname);
  add("kernel", recording.kernel);
  add("machine", recording.machine);
  add("processor", recording.cpu);
  if (recording.cpus_online) add("CPUs online", std::to_string(*recording.cpus_online));
  add("perf", recording.perf_version);
  add("recorded by", command_line(recording.command));
  return facts;
}

analysis::StackOptions with_lines(analysis::StackOptions stacks) {
  stacks.frames.detail = analysis::FrameDetail::line;
  return stacks;
}

}  // namespace

PageReading::PageReading(ProfileCommand& inputs, analysis::StackOptions stacks, symbolize::Symbolizer& symbolizer,
                         const std::string& command) {
  stacks = with_lines(std::move(stacks));
  read_ = inputs.read_apart(profile_, stacks, symbolizer);
  tree_.emplace(profile_, analysis::TreeShape{.event_frames = false, .by_function = true}, inputs.threads());
  leaves_.emplace(*tree_);
  contents_.emplace(output::PageContents{.title = title_of(inputs.paths()),
                                         .command = command,
                                         .version = version(),
                                         .periods = stacks.weight == analysis::Weight::period,
                                         .leaves = *leaves_,
                                         .recordings = {}});
  for (std::size_t i = 0; i < read_.size(); ++i) {
    if (inputs.reports()[i].usable()) describe(inputs.reports()[i], read_[i], symbolizer, inputs.threads());
  }
}

bool PageReading::is_empty() const { return profile_.stack_count() == 0; }

void PageReading::describe(const InputReport& report, const ReadInput& input, symbolize::Symbolizer& symbolizer,
                           unsigned threads) {
  const analysis::SampleTable& samples = tables_.emplace_back(input.log, *leaves_, threads);
  is_recording_.push_back(report.kind == analysis::InputKind::recording);
  const bool has_switches = report.recording && report.recording->has_switches;
  contents_->recordings.push_back(
      {.name = report.path,
       .facts = facts_of(report),
       .quality = output::quality_lines(report.quality),
       .samples = samples,
       .first_list = input.first_list,
       .end_list = input.end_list,
       .gaps = analysis::find_gaps(report.stats.lost_at, report.stats.throttled, samples),
       .waits = has_switches && report.path != "-" ? read_waits(report.path, symbolizer) : std::nullopt,
       .is_reread = is_recording_.back() && report.path != "-"});
}

void write_page(ProfileCommand& inputs, const PageReading& reading, const std::string& path) {
  inputs.write(path, [&](output::OutputFile& out) {
    output::write_report_page(reading.contents(), inputs.threads(), [&](std::string_view part) { out.write(part); });
  });
}

std::string command_line(const options::Arguments& words) {
  std::string line;
  for (const std::string& word : words) {
    const bool is_plain = !word.empty() && word.find_first_not_of(
                                               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                               "0123456789-_./:=,+@%") == std::string::npos;
    std::string quoted = word;
    for (std::size_t at = 0; (at = quoted.find('\'', at)) != std::string::npos; at += 4) quoted.replace(at, 1, "'\\''");
    line += (line.empty() ? "" : " ") + (is_plain ? word : "'" + quoted + "'");
  }
  return line;
}

}  // namespace perfsift::tools
