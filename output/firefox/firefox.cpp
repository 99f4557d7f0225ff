#include "output/firefox/firefox.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "base/printable.h"
#include "base/share_work.h"
#include "output/firefox/columns.h"
#include "output/firefox/shared_tables.h"
#include "output/gzip/gzip_pieces.h"
#include "output/json.h"
#include "output/lanes/thread_lanes.h"

namespace perfsift::output {
namespace {

using analysis::CallTree;

constexpr int processed_version = 61, gecko_version = 31;

Json categories() {
  const auto category = [](const char* name, const char* colour) {
    return Json{{"name", name}, {"color", colour}, {"subcategories", Json::array({"Other"})}};
  };
  // The categories in the order of FirefoxCategory.
  return Json::array(
      {category("Other", "grey"), category("User", "yellow"), category("Kernel", "orange"), category("JIT", "green")});
}

Json marker_schema(const char* name, const char* label, const char* description) {
  return {{"name", name},
          {"tooltipLabel", label},
          {"tableLabel", std::string(label) + ", CPU {marker.data.cpu}"},
          {"chartLabel", label},
          {"display", {"marker-chart", "marker-table", "timeline-overview"}},
          {"fields",
           {{{"key", "cpu"}, {"label", "CPU"}, {"format", "integer"}},
            {{"key", "count"}, {"label", "Count"}, {"format", "integer"}}}},
          {"description", description}};
}

Json extra(const ExportSource& source) {
  Json entries = Json::array();
  for (const std::string& comment : source.comments) {
    const std::size_t colon = std::min(comment.find(':'), comment.size());
    const std::size_t value = std::min(comment.find_first_not_of(' ', colon + 1), comment.size());
    entries.push_back({{"label", comment.substr(0, colon)}, {"format", "string"}, {"value", comment.substr(value)}});
  }
  return Json::array({{{"label", "Recording"}, {"entries", entries}}});
}

constexpr double nanoseconds_of_millisecond = 1e6;

// The time between samples, in milliseconds, where it is known or was aimed at.
double interval_of(const ExportSource& source) {
  constexpr double milliseconds_of_second = 1e3, usual = 1;
  const analysis::SamplingPeriod& period = source.period;
  if (period.frequency != 0) return milliseconds_of_second / static_cast<double>(period.frequency);
  const bool clock = period.unit.empty() ? !source.events.empty() && source.is_in_nanoseconds(source.events.front())
                                         : period.unit == "nanoseconds";
  return clock && period.number != 0 ? static_cast<double>(period.number) / nanoseconds_of_millisecond : usual;
}

void write_meta(const ExportSource& source, std::size_t threads, TextWriter& text) {
  constexpr std::size_t most_visible = 50;
  Json visible = Json::array();
  for (std::size_t i = 0; i < std::min(threads, most_visible); ++i) visible.push_back(i);
  const Json meta = {
      {"interval", interval_of(source)},
      {"startTime", source.recorded_at ? static_cast<double>(*source.recorded_at) / nanoseconds_of_millisecond : 0.0},
      {"processType", 0},
      {"product", source.title},
      {"stackwalk", 1},
      {"version", gecko_version},
      {"preprocessedProfileVersion", processed_version},
      {"categories", categories()},
      {"markerSchema", Json::array({marker_schema("Lost", "Lost", "Records or samples that the kernel could not store"),
                                    marker_schema("Running", "Running", "The thread was on a CPU"),
                                    marker_schema("Throttled", "Throttled", "The kernel had stopped the event")})},
      {"symbolicated", true},
      {"importedFrom", "Linux perf, by perfsift"},
      {"oscpu", source.machine.empty() ? "Linux" : "Linux " + source.machine},
      {"usesOnlyOneStackType", true},
      {"sourceCodeIsNotOnSearchfox", true},
      {"sampleUnits", {{"time", "ms"}, {"eventDelay", "ms"}, {"threadCPUDelta", "µs"}}},
      {"initialVisibleThreads", visible},
      {"extra", extra(source)}};
  text.text("\"meta\":" + meta.dump(-1, ' ', false, Json::error_handler_t::replace) + ",\n");
}

// A sample without a time lies at the start.
std::uint64_t time_in_profile(const ExportSource& source, std::uint64_t time) {
  return time == reader::no_time ? 0 : time - source.first_time;
}

void write_samples(const ExportSource& source, const Lane& lane, TextWriter& text) {
  const std::vector<LaneSample>& samples = lane.samples;
  const bool milliseconds = source.is_in_nanoseconds(lane.event);
  text.text("\"samples\":{");
  write_column(text, "stack", samples.size(), [&](std::size_t i) {
    if (samples[i].node == CallTree::root) {
      text.text("null");
    } else {
      text.decimal(SharedTables::stack_of(samples[i].node));
    }
  });
  write_column(text, "time", samples.size(),
               [&](std::size_t i) { write_milliseconds(text, time_in_profile(source, samples[i].time)); });
  write_column(text, "weight", samples.size(), [&](std::size_t i) {
    if (milliseconds) {
      write_milliseconds(text, samples[i].amount.value);
    } else {
      text.decimal(samples[i].amount.value);
    }
  });
  const bool bytes = source.unit(lane.event) == "bytes";
  text.format(R"("weightType":"{}",)", milliseconds ? "tracing-ms" : bytes ? "bytes" : "samples");
  write_length(text, samples.size());
}

// The head of a thread: all except samples and markers.
struct ThreadHead {
  std::string name, process;
  std::int64_t pid = 0, tid = 0;
  bool main = false;
};

void write_head(const ThreadHead& head, TextWriter& text) {
  Json json = {{"processType", "default"},
               {"processStartupTime", 0},
               {"processShutdownTime", nullptr},
               {"registerTime", 0},
               {"unregisterTime", nullptr},
               {"pausedRanges", Json::array()},
               {"name", head.name},
               {"isMainThread", head.main},
               {"processName", head.process},
               {"pid", std::to_string(head.pid)},
               {"tid", head.tid},
               {"showMarkersInTimeline", true}};
  std::string members = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  members.back() = ',';  // more members follow
  text.text(members);
}

struct Marker {
  const char* type = "";
  std::uint32_t name = 0;
  std::uint64_t from = 0, until = 0;  // equal: an instant
  std::int32_t cpu = -1;
  std::uint64_t count = 0;
};

void write_markers(const std::vector<Marker>& markers, TextWriter& text) {
  const auto column = [&](std::string_view name, const auto& write) {
    write_column(text, name, markers.size(), [&](std::size_t i) { write(markers[i]); });
  };
  text.text("\"markers\":{");
  column("data", [&](const Marker& marker) {
    text.format(R"({{"type":"{}","cpu":{},"count":{}}})", marker.type, marker.cpu, marker.count);
  });
  column("name", [&](const Marker& marker) { text.decimal(marker.name); });
  column("startTime", [&](const Marker& marker) { write_milliseconds(text, marker.from); });
  column("endTime", [&](const Marker& marker) {
    if (marker.until > marker.from) return write_milliseconds(text, marker.until);
    text.text("null");
  });
  column("phase", [&](const Marker& marker) { text.character(marker.until > marker.from ? '1' : '0'); });
  write_equal_column(text, "category", markers.size(), "0");
  write_length(text, markers.size());
}

void write_thread(const ExportSource& source, const Lane& lane, const std::vector<Marker>& markers, TextWriter& text) {
  // Threads of unknown processes are shown as those of one process.
  const bool has_process = lane.pid >= 0;
  std::string name = lane.is_of_unknown_threads() ? source.title : lane.comm;
  if (source.events.size() > 1) name += " (" + source.profile.events()[lane.event] + ")";
  write_head({.name = printable(name),
              .process = printable(has_process ? lane.process : source.title),
              .pid = has_process ? lane.pid : 0,
              .tid = lane.is_of_unknown_threads() ? 0 : lane.tid,
              .main = lane.pid == lane.tid && lane.pid != 0},
             text);
  write_samples(source, lane, text);
  text.character(',');
  write_markers(markers, text);
  text.character('}');
}

std::vector<Marker> markers_of(const ExportSource& source, SharedTables& shared) {
  std::vector<Marker> markers;
  for (const reader::LostAt& lost : source.lost) {
    if (lost.time == reader::no_time) continue;
    const std::uint64_t at = time_in_profile(source, lost.time);
    markers.push_back({.type = "Lost",
                       .name = shared.string(lost.samples != 0 ? "Lost samples" : "Lost records"),
                       .from = at,
                       .until = at,
                       .cpu = lost.cpu,
                       .count = lost.samples + lost.records});
  }
  for (const reader::ThrottleWindow& window : source.throttled) {
    const std::uint64_t end = window.until == reader::no_time ? source.last_time : window.until;
    markers.push_back({.type = "Throttled",
                       .name = shared.string("Throttled"),
                       .from = time_in_profile(source, window.from),
                       .until = time_in_profile(source, end),
                       .cpu = window.cpu});
  }
  std::ranges::stable_sort(markers, {}, &Marker::from);
  return markers;
}

void write_marker_thread(const ExportSource& source, const std::vector<Marker>& markers, TextWriter& text) {
  write_head({.name = "Lost and throttled", .process = printable(source.title)}, text);
  text.text(R"("samples":{"stack":[],"time":[],"weight":null,"weightType":"samples","length":0},)");
  write_markers(markers, text);
  text.character('}');
}

using ThreadId = std::pair<std::int32_t, std::int32_t>;  // PID and TID

// When each thread was on a CPU.
std::map<ThreadId, std::vector<Marker>> running_markers(const ExportSource& source, SharedTables& shared) {
  std::map<ThreadId, std::vector<Marker>> markers;
  const std::uint32_t name = source.slices.empty() ? 0 : shared.string("Running");
  for (const offcpu::CpuSlice& slice : source.slices) {
    markers[{slice.pid, slice.tid}].push_back({.type = "Running",
                                               .name = name,
                                               .from = time_in_profile(source, slice.from),
                                               .until = time_in_profile(source, slice.until),
                                               .cpu = slice.cpu});
  }
  for (auto& [thread, of_thread] : markers) std::ranges::stable_sort(of_thread, {}, &Marker::from);
  return markers;
}

}  // namespace

void write_firefox(const ExportSource& source, OutputFile& out) {
  const CallTree tree(source.profile, {.event_frames = false}, source.threads);
  const std::vector<Lane> lanes = thread_lanes(source, tree);
  SharedTables shared(source, tree);
  const std::vector<Marker> markers = markers_of(source, shared);
  std::map<ThreadId, std::vector<Marker>> running = running_markers(source, shared);
  std::vector<std::vector<Marker>> of_lanes;  // of a thread's first lane
  for (const Lane& lane : lanes) of_lanes.push_back(std::exchange(running[{lane.pid, lane.tid}], {}));

  std::vector<std::function<void(TextWriter&)>> parts;
  parts.emplace_back([&](TextWriter& text) {
    text.character('{');
    write_meta(source, lanes.size() + (markers.empty() ? 0 : 1), text);
    shared.write_libs(text);
    text.text("\"pages\":[],\"profilerOverhead\":[],\n");
    shared.write(text);
    text.text("\"threads\":[\n");
  });
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    parts.emplace_back([&, i](TextWriter& text) {
      if (i != 0) text.text(",\n");
      write_thread(source, lanes[i], of_lanes[i], text);
    });
  }
  parts.emplace_back([&](TextWriter& text) {
    if (!markers.empty()) {
      if (!lanes.empty()) text.text(",\n");
      write_marker_thread(source, markers, text);
    }
    text.text("]}\n");
  });

  GzipPieces pieces(out);
  for_each_task(source.threads, parts.size(), [&](std::size_t number) {
    std::string content;
    TextWriter text([&](std::string_view some) { content += some; });
    parts[number](text);
    text.flush();
    pieces.add(number, content);
  });
  pieces.finish();
}

}  // namespace perfsift::output
