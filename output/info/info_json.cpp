#include "output/info/info_json.h"

#include <algorithm>
#include <functional>

#include "output/info/header_json.h"
#include "reader/format/record_names.h"

namespace perfsift::output {
namespace {

using reader::no_time;
using reader::ReadStats;
using reader::Recording;

// The event with the id. Older recordings of a single event have no ids.
const reader::Event* event_of_id(const Recording& recording, std::uint64_t id) {
  if (recording.events().size() == 1) return recording.events().front().get();
  for (const auto& event : recording.events()) {
    if (std::ranges::find(event->ids, id) != event->ids.end()) return event.get();
  }
  return nullptr;
}

// The samples that each event lost, from counters that were read at the end of the event (PERF_FORMAT_LOST).
Json lost_by_event(const Recording& recording) {
  const auto& lost = recording.stats().losses.lost_by_id;
  Json events = Json::array();
  for (const auto& event : recording.events()) {
    std::uint64_t total = 0;
    bool counted = false;
    for (const std::uint64_t id : event->ids) {
      const auto found = lost.find(id);
      if (found == lost.end()) continue;
      total += found->second;
      counted = true;
    }
    if (counted) events.push_back({{"event", event->name}, {"lost", total}});
  }
  return events;
}

Json time_span_json(const ReadStats& stats) {
  if (stats.first_sample_time == no_time) return nullptr;
  return {{"first_ns", stats.first_sample_time},
          {"last_ns", stats.last_sample_time},
          {"duration_ns", stats.last_sample_time - stats.first_sample_time}};
}

Json damage_json(const ReadStats& stats) {
  Json list = Json::array();
  for (const reader::Damage& damage : stats.damage) {
    list.push_back({{"file", damage.file},
                    {"offset", damage.offset},
                    {"bytes", damage.bytes},
                    {"records", damage.records},
                    {"what", damage.what}});
  }
  return list;
}

// The PMU that counts the event, by the kernel's own numbers or the recording's.
Json pmu_name(std::uint32_t type, const reader::Features& features) {
  static constexpr const char* fixed[] = {"hardware", "software", "tracepoint", "hw_cache", "raw", "breakpoint"};
  if (type < std::size(fixed)) return fixed[type];
  for (const reader::PmuMapping& pmu : features.pmu_mappings) {
    if (pmu.type == type) return pmu.name;
  }
  return nullptr;
}

}  // namespace

Json events_json(const Recording& recording, const analysis::Survey& survey) {
  Json events = Json::array();
  for (const auto& event : recording.events()) {
    const analysis::EventCount& count = survey.events[event->index];
    Json json = {{"name", event->name},
                 {"samples", count.samples},
                 {"period_total", count.period_total},
                 {"pmu", pmu_name(event->attr.type, recording.features())},
                 {"ids", event->ids.size()},
                 {"leader", event->leader}};
    if (!event->group_name.empty()) json["group"] = event->group_name;
    if (!event->unit.empty()) json["unit"] = event->unit;
    if (event->scale != 1.0) json["scale"] = event->scale;
    json["attr"] = attr_json(event->attr);
    events.push_back(std::move(json));
  }
  return events;
}

Json records_json(const std::map<reader::RecordType, std::uint64_t>& counts) {
  Json json = Json::object();
  for (const auto& [type, count] : counts) {
    const auto number = std::to_string(static_cast<std::uint32_t>(type));
    json[is_known(type) ? std::string(record_name(type)) : number] = count;
  }
  return json;
}

Json lost_json(const Recording& recording) {
  const reader::Losses& losses = recording.stats().losses;
  return {{"records", losses.lost_records},
          {"chunks", losses.lost_chunks},
          {"samples", losses.lost_samples},
          {"samples_without_room", losses.lost_samples_without_room},
          {"bpf_dropped_samples", losses.bpf_dropped_samples},
          {"by_event", lost_by_event(recording)},
          {"aux_truncated", losses.aux_truncated},
          {"aux_collisions", losses.aux_collisions},
          {"skipped_bytes", recording.stats().skipped_bytes}};
}

Json throttled_json(const Recording& recording) {
  Json windows = Json::array();
  for (const reader::ThrottleWindow& window : recording.stats().throttled) {
    const reader::Event* event = event_of_id(recording, window.id);
    const bool ended = window.until != no_time;
    windows.push_back({{"event", event != nullptr ? Json(event->name) : Json()},
                       {"cpu", window.cpu >= 0 ? Json(window.cpu) : Json()},
                       {"from_ns", window.from},
                       {"until_ns", ended ? Json(window.until) : Json()}});
  }
  return windows;
}

Json processes_json(const analysis::Survey& survey) {
  std::vector<std::pair<analysis::ProcessName, std::uint64_t>> sorted(survey.processes.begin(), survey.processes.end());
  std::ranges::stable_sort(sorted, std::greater(), [](const auto& process) { return process.second; });
  Json processes = Json::array();
  for (const auto& [process, samples] : sorted) {
    processes.push_back({{"pid", process.pid}, {"samples", samples}, {"comm", process.comm}});
  }
  return processes;
}

Json cpus_json(const analysis::Survey& survey) {
  Json cpus = Json::array();
  for (const auto& [cpu, samples] : survey.cpus) cpus.push_back({{"cpu", cpu}, {"samples", samples}});
  return cpus;
}

Json quality_json(const analysis::Survey& survey) {
  const analysis::Quality& quality = survey.quality;
  Json unresolved = Json::array();
  for (const auto& [place, frames] : quality.unresolved) {
    unresolved.push_back({{"binary", place.binary},
                          {"reason", analysis::reason_name(place.reason)},
                          {"frames", frames},
                          {"description", symbolize::describe(place.reason)},
                          {"advice", symbolize::advice(place.reason, place.binary)}});
  }
  Json incomplete = Json::array();
  for (const auto& [place, stacks] : quality.incomplete) {
    incomplete.push_back({{"binary", place.binary},
                          {"reason", analysis::tail_name(place.reason)},
                          {"stacks", stacks},
                          {"estimated", analysis::is_estimated(place.reason)},
                          {"description", analysis::describe(place.reason)},
                          {"advice", analysis::advice(place.reason)}});
  }
  Json lost_callers = Json::array();
  for (const auto& [function, stacks] : quality.lost_callers)
    lost_callers.push_back({{"function", function}, {"stacks", stacks}});
  return {{"samples", quality.samples},
          {"lost_records_percent", quality.lost_records_percent()},
          {"lost_samples_percent", quality.lost_samples_percent()},
          {"skipped_bytes_percent", quality.skipped_percent()},
          {"callchains", quality.callchains},
          {"truncated_stacks", quality.truncated_stacks},
          {"truncated_percent", quality.truncated_percent()},
          {"incomplete_stacks", quality.incomplete_stacks()},
          {"incomplete_percent", quality.incomplete_percent()},
          {"incomplete_estimated", quality.incomplete_is_estimated()},
          {"unjudged_stacks", quality.unjudged_stacks},
          {"beyond_start_stacks", quality.beyond_start},
          {"incomplete", std::move(incomplete)},
          {"stacks_without_a_caller", quality.stacks_without_a_caller()},
          {"lost_callers", std::move(lost_callers)},
          {"frames", quality.frames},
          {"unresolved_frames", quality.unresolved_frames()},
          {"unresolved_percent", quality.unresolved_percent()},
          {"unresolved", std::move(unresolved)}};
}

Json info_json(const Recording& recording, const analysis::Survey& survey, const Sections& sections) {
  const ReadStats& stats = recording.stats();
  Json json = {{"file", recording.path()}};
  if (sections.header) {
    json["header"] = header_json(recording.header());
    json["features"] = features_json(recording.features());
  }
  json["time_span"] = time_span_json(stats);
  if (sections.events) json["events"] = events_json(recording, survey);
  if (sections.stats) {
    json["records"] = records_json(stats.records);
    json["malformed"] = records_json(stats.malformed);
    json["unknown_ids"] = stats.unknown_ids;
  }
  if (sections.losses) {
    json["lost"] = lost_json(recording);
    json["throttled"] = throttled_json(recording);
  }
  if (sections.processes) json["processes"] = processes_json(survey);
  if (sections.cpus) json["cpus"] = cpus_json(survey);
  if (sections.quality) json["quality"] = quality_json(survey);
  json["damage"] = damage_json(stats);
  return json;
}

}  // namespace perfsift::output
