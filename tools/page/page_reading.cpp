#include "tools/page/page_reading.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/samples/event_selection.h"
#include "analysis/selection/gaps.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/shell_word.h"
#include "base/version.h"
#include "filter/perf_lists.h"
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
  const auto* const own = report.get<RecordingReport>();
  if (own == nullptr) return facts;
  const analysis::RecordingDescription& recording = own->description;
  add("host", recording.hostname);
  add("kernel", recording.kernel);
  add("machine", recording.machine);
  add("processor", recording.cpu);
  if (recording.cpus_online) add("CPUs online", std::to_string(*recording.cpus_online));
  add("perf", recording.perf_version);
  add("recorded by", command_line(recording.command));
  return facts;
}

std::vector<std::string> texts_of(const std::vector<filter::FilterText>& filters) {
  std::vector<std::string> texts;
  for (const filter::FilterText& filter : filters) texts.push_back(filter.text);
  return texts;
}

analysis::StackOptions with_lines(analysis::StackOptions stacks) {
  stacks.frames.detail = analysis::FrameDetail::line;
  return stacks;
}

// Adds the recording's wanted events, unless all its events are wanted.
void append_events(const std::vector<std::string>& wanted, const std::vector<std::string>& events,
                   std::vector<filter::FilterText>& texts) {
  const analysis::EventSelection selection(wanted);
  const auto is_wanted = [&](const std::string& event) { return selection(event).has_value(); };
  if (std::ranges::all_of(events, is_wanted)) return;
  std::set<std::string> quoted;
  for (const std::string& event : events) {
    if (is_wanted(event)) quoted.insert(filter::quoted_name(event));
  }
  const std::string text = quoted.empty() ? R"(event != "*")" : fmt::format("event in {{{}}}", fmt::join(quoted, ", "));
  texts.push_back({.origin = "--event", .text = text});
}

// The samples with frames of the shown part of stacks: see analysis::is_kernel_mode(). Interrupts are included, unless
// they are left out.
void append_shape(const analysis::StackShape& shape, std::vector<filter::FilterText>& texts) {
  const analysis::StackPart part = shape.part;
  const std::string kernel = "cpumode in {kernel, hypervisor, guest_kernel}";
  if (part == analysis::StackPart::kernel_only)
    texts.push_back({.origin = "--kernel-only", .text = fmt::format("stack has ({})", kernel)});
  if (part == analysis::StackPart::user_only)
    texts.push_back({.origin = "--user-only", .text = fmt::format("stack has (!({}))", kernel)});
  if (shape.interrupts == analysis::Interrupts::drop)
    texts.push_back({.origin = "--interrupts", .text = "context not in {interrupt, softirq, nmi}"});
}

}  // namespace

PageReading::PageReading(ProfileCommand& inputs, analysis::StackOptions stacks, const std::string& command) {
  stacks = with_lines(std::move(stacks));
  std::vector<std::optional<symbolize::FileStamp>> stamps;
  for (const std::string& path : inputs.paths()) stamps.push_back(symbolize::stamp_of(path));
  read_ = inputs.read_apart(profile_, stacks);
  tree_.emplace(profile_, analysis::TreeShape{.event_frames = false, .by_function = true}, inputs.threads());
  leaves_.emplace(*tree_);
  contents_.emplace(output::PageContents{.title = title_of(inputs.paths()),
                                         .command = command,
                                         .naming = inputs.naming_words(),
                                         .version = version(),
                                         .periods = stacks.weight == analysis::Weight::period,
                                         .leaves = *leaves_,
                                         .recordings = {}});
  for (std::size_t i = 0; i < read_.size(); ++i) {
    const InputReport& report = inputs.reports()[i];
    if (!report.usable()) continue;
    std::vector<filter::FilterText> kept_by = inputs.filter_texts();
    append_events(inputs.events(), report.events, kept_by);
    append_shape(stacks.shape, kept_by);
    sources_.push_back({.is_recording = report.kind == analysis::InputKind::recording,
                        .stamp = stamps[i],
                        .kept_by = std::move(kept_by)});
    describe(report, read_[i], inputs.symbolizer(), inputs.threads());
  }
}

bool PageReading::is_empty() const { return profile_.stack_count() == 0; }

void PageReading::describe(const InputReport& report, const ReadInput& input, symbolize::Symbolizer& symbolizer,
                           unsigned threads) {
  const analysis::SampleIndex& samples = indices_.emplace_back(input.table, *leaves_, threads);
  const Source& source = sources_.back();
  static const RecordingReport none;
  const auto* const own = report.get<RecordingReport>();
  const RecordingReport& recording = own != nullptr ? *own : none;
  const bool has_switches = recording.description.has_switches;
  WaitReading waits = has_switches && report.path != "-" ? read_waits(report.path, symbolizer) : WaitReading();
  std::vector<std::string> quality = output::quality_lines(report.quality);
  if (waits.missing) quality.push_back(std::move(*waits.missing));
  contents_->recordings.push_back(
      {.name = report.path,
       .facts = facts_of(report),
       .quality = std::move(quality),
       .samples = samples,
       .gaps = analysis::find_gaps(recording.stats.lost_at, recording.stats.throttled, samples),
       .waits = std::move(waits.waits),
       .is_reread = source.is_recording && report.path != "-",
       .kept_by = texts_of(source.kept_by)});
}

void PageReading::expect_unchanged(std::size_t recording) const {
  const std::string& path = contents().recordings[recording].name;
  if (symbolize::stamp_of(path) != sources_[recording].stamp)
    throw UsageError(printable(path) + " has changed since it was read: start perfsift view again");
}

void write_page(ProfileCommand& inputs, const PageReading& reading, const std::string& path) {
  inputs.write(path, [&](output::OutputFile& out) {
    output::write_report_page(reading.contents(), inputs.threads(), [&](std::string_view part) { out.write(part); });
  });
}

std::string command_line(const options::Arguments& words) {
  std::string line;
  for (const std::string& word : words) {
    line += (line.empty() ? "" : " ") + shell_word(word);
  }
  return line;
}

}  // namespace perfsift::tools
