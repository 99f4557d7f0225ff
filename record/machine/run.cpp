#include "record/machine/run.h"

#include <algorithm>
#include <ctime>
#include <deque>

#include "base/clock_time.h"
#include "base/page_size.h"
#include "base/version.h"
#include "base/whole_file.h"
#include "reader/writer/features/tracing_data.h"

namespace perfsift::record {

namespace {

using reader::EventAttr;
using reader::Features;

void add_clock(Features& features, const EventAttr& attr) {
  if (!attr.use_clockid()) return;
  timespec resolution{};
  if (clock_getres(attr.clock_id, &resolution) != 0) return;
  features.clock_resolution_ns = nanoseconds_of(resolution);
  features.clock_data = reader::ClockData{.version = 1,
                                          .clock_id = static_cast<std::uint32_t>(attr.clock_id),
                                          .wall_ns = clock_time(CLOCK_REALTIME),
                                          .clock_ns = clock_time(attr.clock_id)};
}

// Keeps the texts of files until the section is written.
class Texts {
 public:
  // Empty if the file cannot be read.
  std::string_view of(const std::string& path) { return texts_.emplace_back(read_whole_file(path).value_or("")); }

 private:
  std::deque<std::string> texts_;
};

}  // namespace

void add_run(Features& features, const Run& run) {
  features.version = std::string("perfsift ") + version();
  features.command_line = run.command_line;
  features.groups = run.groups;
  for (std::size_t i = 0; i < run.events.size(); ++i) {
    const auto attr = reader::decode_event_attr(run.events[i].attr, ByteOrder::native);
    if (!attr) continue;
    features.event_descriptions.push_back(
        {.attr = *attr, .name = i < run.event_names.size() ? run.event_names[i] : "", .ids = run.events[i].ids});
    if (attr->has(reader::sample_bit::branch_stack)) features.branch_stack = true;
  }
  if (!features.event_descriptions.empty()) add_clock(features, features.event_descriptions.front().attr);
}

std::vector<std::byte> tracing_data_of(std::vector<TracepointName> tracepoints, const std::string& tracefs) {
  if (tracepoints.empty()) return {};
  std::ranges::sort(tracepoints);
  tracepoints.erase(std::unique(tracepoints.begin(), tracepoints.end()), tracepoints.end());

  Texts texts;
  reader::TracingData data;
  data.long_size = sizeof(long);
  data.page_size = static_cast<unsigned>(page_size());
  data.header_page = texts.of(tracefs + "/events/header_page");
  data.header_event = texts.of(tracefs + "/events/header_event");
  for (const TracepointName& one : tracepoints) {
    const auto format = texts.of(tracefs + "/events/" + one.system + "/" + one.name + "/format");
    if (!format.empty()) data.formats.push_back({one.system, format});
  }
  data.printk_formats = texts.of(tracefs + "/printk_formats");
  data.saved_cmdlines = texts.of(tracefs + "/saved_cmdlines");
  return encode_tracing_data(data);
}

}  // namespace perfsift::record
