#include "output/info/info_text.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/counted.h"
#include "base/duration.h"
#include "base/printable.h"
#include "output/info/header_json.h"
#include "output/info/info_json.h"
#include "output/quality/quality_lines.h"

namespace perfsift::output {
namespace {

using reader::no_time;
using reader::ReadStats;
using reader::Recording;

constexpr std::size_t brief_rows = 10;
constexpr unsigned row_indent = 2;

std::string percent(double value) { return fmt::format("{:.2f} %", value); }

// "perf.data: 563 samples of 1 event, 2156.655033 to 2156.799457 s (0.144424 s)"
std::string title(const Recording& recording, const analysis::Survey& survey) {
  const ReadStats& stats = recording.stats();
  std::string text = fmt::format("{}: {} of {}", printable(recording.path()), counted(survey.samples(), "sample"),
                                 counted(recording.events().size(), "event"));
  if (stats.first_sample_time != no_time) {
    text +=
        fmt::format(", {} to {} s ({} s)", seconds_text(stats.first_sample_time), seconds_text(stats.last_sample_time),
                    seconds_text(stats.last_sample_time - stats.first_sample_time));
  }
  return text + '\n';
}

// The rows of a table; if `brief`, only the first rows of a long one.
std::string rows_text(Json rows, bool brief, std::string_view option) {
  const std::size_t total = rows.size();
  const bool cut = brief && total > brief_rows;
  if (cut) rows.erase(rows.begin() + brief_rows, rows.end());
  std::string text = table(rows, row_indent);
  if (cut) text += fmt::format("{:{}}({} more: {})\n", "", row_indent, total - brief_rows, option);
  return text;
}

// Joins the words of the command line, without quotes.
void join_words(Json& words) { words = fmt::format("{}", fmt::join(words.get<std::vector<std::string>>(), " ")); }

// Keeps the simple facts, and drops the tables.
Json without_tables(const Json& features) {
  Json brief = Json::object();
  for (const auto& [key, value] : features.items()) {
    if (!value.is_object() && !(value.is_array() && !value.empty() && value.front().is_object())) brief[key] = value;
  }
  brief.erase("present");
  return brief;
}

std::string header_section(const Recording& recording, bool brief) {
  Json features = features_json(recording.features());
  if (features.contains("command_line")) join_words(features["command_line"]);
  if (brief) return outline(without_tables(features), row_indent);
  return outline(header_json(recording.header()), row_indent) + outline(features, row_indent);
}

std::string events_section(const Recording& recording, const analysis::Survey& survey) {
  std::string text;
  for (Json& event : events_json(recording, survey)) {
    text += fmt::format("{:{}}{}\n", "", row_indent, printable(event["name"].get<std::string>()));
    event.erase("name");
    text += outline(event, 2 * row_indent);
  }
  return text;
}

std::string stats_section(const ReadStats& stats) {
  const Json records = records_json(stats.records);
  const Json malformed = records_json(stats.malformed);
  Json rows = Json::array();
  for (const auto& [name, count] : records.items()) rows.push_back({{"records", count}, {"type", name}});
  std::string text = table(rows, row_indent);
  for (const auto& [name, count] : malformed.items()) {
    text += fmt::format("{:{}}{} malformed, not used: {}\n", "", row_indent, name, count.get<std::uint64_t>());
  }
  if (stats.unknown_ids != 0) {
    text += fmt::format("{:{}}{} of no known event\n", "", row_indent, counted(stats.unknown_ids, "sample"));
  }
  return text;
}

std::string losses_section(const Recording& recording, const analysis::Survey& survey, bool brief) {
  const ReadStats& stats = recording.stats();
  std::string text =
      fmt::format("{:{}}share of the records: {}, of the samples: {}\n", "", row_indent,
                  percent(survey.quality.lost_records_percent()), percent(survey.quality.lost_samples_percent()));
  if (stats.skipped_bytes != 0) {
    text += fmt::format("{:{}}share of the bytes that could not be read: {}\n", "", row_indent,
                        percent(survey.quality.skipped_percent()));
  }
  Json lost = lost_json(recording);
  if (stats.skipped_bytes == 0) lost.erase("skipped_bytes");
  text += outline(lost, row_indent);
  if (stats.throttled.empty()) return text;
  text += fmt::format("{:{}}{}\n", "", row_indent, throttling_line(survey.quality));
  if (!brief) text += table(throttled_json(recording), 2 * row_indent);
  return text;
}

std::string indented(std::string_view lines) {
  std::string text;
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n') + 1;
    text += std::string(2 * row_indent, ' ') + std::string(lines.substr(0, end));
    lines.remove_prefix(end);
  }
  return text;
}

// Callchains do not say whether they are complete, so the count of such stacks is an estimate.
std::string note_on_estimate(const analysis::Quality& quality) {
  if (!quality.incomplete_is_estimated()) return {};
  std::string note = ", estimated by the names of their last frames";
  if (quality.unjudged_stacks != 0) {
    note += fmt::format("; {} without such a name may be whole or not", counted(quality.unjudged_stacks, "other"));
  }
  return note;
}

std::string quality_section(const analysis::Survey& survey) {
  const analysis::Quality& quality = survey.quality;
  std::string text = fmt::format("{:{}}cut stacks: {} of {} ({})\n", "", row_indent, quality.truncated_stacks,
                                 quality.callchains, percent(quality.truncated_percent()));
  text += fmt::format("{:{}}incomplete stacks: {} of {} ({}){}\n", "", row_indent, quality.incomplete_stacks(),
                      quality.callchains, percent(quality.incomplete_percent()), note_on_estimate(quality));
  text += indented(analysis::incomplete_table(quality));
  text += fmt::format("{:{}}frames without a name: {} of {} ({})\n", "", row_indent, quality.unresolved_frames(),
                      quality.frames, percent(quality.unresolved_percent()));
  return text + indented(analysis::unresolved_table(quality));
}

std::string damage_section(const ReadStats& stats) {
  std::string text;
  for (const reader::Damage& damage : stats.damage) {
    text += fmt::format("{:{}}{} at {}: {}, {} not read\n", "", row_indent, printable(damage.file), damage.offset,
                        damage.what, counted(damage.bytes, "byte"));
  }
  return text;
}

void add_section(std::string& text, std::string_view name, const std::string& content) {
  if (!content.empty()) text += fmt::format("\n{}\n{}", name, content);
}

}  // namespace

std::string info_text(const Recording& recording, const analysis::Survey& survey, const Sections& sections) {
  const bool brief = sections.brief;
  std::string text = title(recording, survey);
  if (sections.header) add_section(text, "Header", header_section(recording, brief));
  if (sections.events) add_section(text, "Events", events_section(recording, survey));
  if (sections.stats) add_section(text, "Records", stats_section(recording.stats()));
  if (sections.losses) add_section(text, "Losses", losses_section(recording, survey, brief));
  if (sections.processes) add_section(text, "Processes", rows_text(processes_json(survey), brief, "--processes"));
  if (sections.cpus) add_section(text, "CPUs", rows_text(cpus_json(survey), brief, "--cpus"));
  if (sections.quality) add_section(text, "Quality", quality_section(survey));
  add_section(text, "Damage", damage_section(recording.stats()));
  return text;
}

}  // namespace perfsift::output
