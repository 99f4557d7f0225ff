#include "tools/store/store_texts.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/duration.h"
#include "base/printable.h"
#include "base/size_text.h"
#include "output/columns.h"
#include "store/url.h"

namespace perfsift::tools {
namespace {

using store::StoredRecording;

// A roll-up has no file.
std::string file_text(const StoredRecording& recording) {
  if (recording.bucket == 0) return printable(recording.path);
  return fmt::format("{} in {}", counted(recording.recordings, "recording"), width_text(recording.bucket));
}

std::string labels_text(const store::Labels& labels) {
  std::string text;
  for (const auto& [name, value] : labels) text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return printable(text);
}

output::Json labels_json(const store::Labels& labels) {
  output::Json json = output::Json::object();
  for (const auto& [name, value] : labels) json[printable_utf8(name)] = printable_utf8(value);
  return json;
}

std::string names_and_numbers(std::string_view heading, const std::map<std::string, std::uint64_t>& numbers,
                              std::string_view noun) {
  std::string text;
  for (const auto& [name, number] : numbers)
    text += fmt::format("{:<10}{}: {}\n", text.empty() ? heading : "", printable(name), counted(number, noun));
  return text;
}

output::Json numbers_json(const std::map<std::string, std::uint64_t>& numbers) {
  output::Json json = output::Json::object();
  for (const auto& [name, number] : numbers) json[printable_utf8(name)] = number;
  return json;
}

}  // namespace

std::string width_text(std::uint32_t seconds) {
  constexpr std::pair<std::uint32_t, std::string_view> units[] = {{86'400, "d"}, {3'600, "h"}, {60, "m"}, {1, "s"}};
  const auto* const unit = std::ranges::find_if(units, [&](const auto& each) { return seconds % each.first == 0; });
  return fmt::format("{}{}", seconds / unit->first, unit->second);
}

std::string list_text(const std::vector<StoredRecording>& recordings) {
  std::size_t width = std::string_view("labels").size();
  for (const StoredRecording& recording : recordings)
    width = std::max(width, std::min(output::width_of(labels_text(recording.labels)), output::widest_padding));
  std::string text =
      fmt::format("{:<20}  {:>9}  {:>7}  {:<{}}  {}\n", "began", "samples", "lost", "labels", width, "file");
  for (const StoredRecording& recording : recordings) {
    const std::string labels = labels_text(recording.labels);
    const std::size_t columns = output::width_of(labels);
    text += fmt::format("{:<20}  {:>9}  {:>7}  {}{:<{}}  {}\n", store::time_text(recording.began / one_second),
                        recording.samples, recording.lost, labels, "", width - std::min(columns, width),
                        file_text(recording));
  }
  return text;
}

output::Json list_json(const std::vector<StoredRecording>& recordings) {
  output::Json json = output::Json::array();
  for (const StoredRecording& recording : recordings) {
    json.push_back({{"id", store::hex_digits(recording.id)},
                    {"began", recording.began},
                    {"duration", recording.duration},
                    {"added", recording.added},
                    {"samples", recording.samples},
                    {"lost", recording.lost},
                    {"recordings", recording.recordings},
                    {"seconds_of_rows", recording.bucket == 0 ? store::seconds_of_row : recording.bucket},
                    {"labels", labels_json(recording.labels)},
                    {"file", printable_utf8(recording.path)}});
  }
  return json;
}

std::string summary_text(const store::StoreSummary& summary) {
  std::string text =
      fmt::format("{}, {}\n", counted(summary.recordings, "recording"), counted(summary.samples, "sample"));
  text += names_and_numbers("labels", summary.labels, "value");
  text += names_and_numbers("events", summary.events, "sample");
  text += fmt::format("{:<10}{} on disk: {}, {}, {}, {}, {}\n", "store", size_text(summary.bytes),
                      counted(summary.sample_rows, "row of samples", "rows of samples"),
                      counted(summary.wait_rows, "row of waits", "rows of waits"),
                      counted(summary.access_rows, "row of accesses", "rows of accesses"),
                      counted(summary.stacks, "stack"), counted(summary.functions, "function"));
  return text;
}

output::Json summary_json(const store::StoreSummary& summary) {
  return {{"recordings", summary.recordings},
          {"samples", summary.samples},
          {"labels", numbers_json(summary.labels)},
          {"events", numbers_json(summary.events)},
          {"store",
           {{"bytes", summary.bytes},
            {"sample_rows", summary.sample_rows},
            {"wait_rows", summary.wait_rows},
            {"access_rows", summary.access_rows},
            {"stacks", summary.stacks},
            {"functions", summary.functions}}}};
}

std::string rolled_up_text(const store::RolledUp& rolled_up) {
  if (rolled_up.roll_ups == 0) return "nothing to roll up\n";
  return fmt::format("rolled up {} into {}: {} became {}\n", counted(rolled_up.recordings, "recording"),
                     rolled_up.roll_ups, counted(rolled_up.rows_before, "row of samples", "rows of samples"),
                     rolled_up.rows);
}

std::string check_text(const store::StoreCheck& check) {
  std::string text;
  for (const auto& [path, added, here] : check.differences)
    text += fmt::format("{}: {} were added, and {} are here: remove it and add it again\n", printable(path),
                        counted(added, "sample"), here);
  if (check.missing_stacks != 0) text += fmt::format("missing: {}\n", counted(check.missing_stacks, "stack"));
  if (check.missing_functions != 0) text += fmt::format("missing: {}\n", counted(check.missing_functions, "function"));
  if (check.disagreements != 0) {
    text += fmt::format(
        "{} not on all servers, as a load or a removal broke off: --repair removes, and then they can be "
        "added again\n",
        counted(check.disagreements, "recording"));
  }
  if (check.without_roll_up != 0) {
    text += fmt::format("missing: the roll-up of {}: --repair lets them be added again\n",
                        counted(check.without_roll_up, "recording"));
  }
  if (check.rows_of_no_recording != 0) {
    text += fmt::format("{} of loads that broke off, which count nothing: --repair removes them\n",
                        counted(check.rows_of_no_recording, "row"));
  }
  if (check.is_whole()) text += "the store is whole\n";
  return text;
}

}  // namespace perfsift::tools
