#include "tools/filter/filter_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/counted.h"
#include "base/printable.h"

namespace perfsift::tools {
namespace {

using nlohmann::json;

std::string lost_text(const reader::Losses& losses) {
  if (losses.lost_samples != 0 && losses.lost_records == losses.told_twice())
    return counted(losses.lost_samples, "sample") + " lost";
  std::string text = counted(losses.lost_records, "record") + " lost";
  if (losses.lost_samples != 0) text += ", " + counted(losses.lost_samples, "sample") + " lost";
  return text;
}

std::string written_text(const FilterResult& result) {
  if (result.parts.empty()) return "nothing to write";
  if (result.parts.size() == 1) {
    return fmt::format("written to {} ({} bytes)", printable(result.parts.front().path), result.parts.front().bytes);
  }
  std::uint64_t bytes = 0;
  for (const output::WrittenPart& part : result.parts) bytes += part.bytes;
  return fmt::format("written to {} files, {} to {} ({} bytes)", result.parts.size(),
                     printable(result.parts.front().path), printable(result.parts.back().path), bytes);
}

json result_json(const FilterResult& result) {
  json file = {{"input", result.input},
               {"samples", result.samples},
               {"kept", result.kept},
               {"dropped", result.dropped()},
               {"lost_records", result.stats.losses.lost_records},
               {"lost_samples", result.stats.losses.lost_samples},
               {"seconds", result.seconds},
               {"damaged", !result.stats.whole()},
               {"warnings", result.warnings},
               {"parts", json::array()}};
  if (!result.error.empty()) file["error"] = result.error;
  for (const output::WrittenPart& part : result.parts) {
    json entry = {{"output", part.path}, {"kept", part.kept}, {"bytes", part.bytes}};
    if (!part.part.empty()) entry["part"] = part.part;
    file["parts"].push_back(std::move(entry));
  }
  return file;
}

}  // namespace

std::string result_line(const FilterResult& result, bool dry_run) {
  if (!result.error.empty()) return fmt::format("{}: failed", printable(result.input));
  return fmt::format("{}: {} of {} samples kept, {} dropped, {}, {:.2f} s: {}", printable(result.input), result.kept,
                     result.samples, result.dropped(), lost_text(result.stats.losses), result.seconds,
                     dry_run ? "not written" : written_text(result));
}

json results_json(const std::vector<FilterResult>& results) {
  std::uint64_t kept = 0, dropped = 0, failed = 0;
  json files = json::array();
  for (const FilterResult& result : results) {
    kept += result.kept;
    dropped += result.dropped();
    failed += result.error.empty() ? 0 : 1;
    files.push_back(result_json(result));
  }
  return {{"files", std::move(files)}, {"kept", kept}, {"dropped", dropped}, {"failed", failed}};
}

}  // namespace perfsift::tools
