#include "tools/store_input.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "store/collector.h"
#include "store/hosts.h"
#include "store/url.h"
#include "store/wanted_rows.h"
#include "tools/open_store.h"

namespace perfsift::tools {
namespace {

void check_options(const std::string& url, const ProfileReading& reading) {
  if (!reading.filter.keeps_all()) {
    throw UsageError(
        fmt::format("{}: is a store, and samples are filtered in recordings only; labels, event, thread, cgroup, "
                    "from and to in its address choose samples",
                    printable(url)));
  }
  const auto refuse = [&](const char* why) { throw UsageError(printable(url) + ": is a store, which has " + why); };
  if (reading.stacks.pid || reading.stacks.tid)
    refuse("names of threads only: --with-pid and --with-tid need recordings");
  if (reading.stacks.frames.addresses) refuse("no addresses: --addresses needs recordings");
}

void collect(const store::Selection& selection, store::Engine& engine, analysis::Profile& profile,
             const ProfileReading& reading, InputReport& report) {
  const store::StoredRecordings stored = store::describe(engine, selection);
  const std::uint32_t first_stack = profile.stack_count();
  store::StoreCollector collector(engine, selection, profile, reading.stacks);
  if (reading.rows != nullptr) collector.add_rows_to(*reading.rows, first_stack);
  StoreReport own{.recordings = stored.recordings, .began = stored.began, .hosts = {}};
  if (reading.runs) own.hosts = store::describe_hosts(engine, selection);
  collector.keep_apart(own.hosts);
  collector.collect(stored, [&](std::string_view event) { return reading.events(event); });
  for (const store::StoredEvent& event : stored.events) {
    report.events.push_back(event.name);
    if (!event.type.unit.empty()) report.units[event.name] = event.type.unit;
  }
  if (!stored.events.empty()) report.first_event = stored.events.front().name;
  report.samples = stored.samples;
  report.kept = collector.kept();
  report.duration = stored.duration;
  report.quality = stored.quality;
  report.quality.interrupts = collector.interrupts();
  report.own = std::move(own);
}

}  // namespace

InputReport read_store(const std::string& url, analysis::Profile& profile, const ProfileReading& reading) {
  const store::StoreUrl parsed = store::parse_store_url(url);  // first: others' messages have the address in them
  check_options(url, reading);
  InputReport report{.path = url, .kind = analysis::InputKind::store};
  reading.progress.show([&] { return "reading " + url; });
  use_store(parsed, [&](store::Engine& engine) {
    store::read_unchanged(engine, parsed.selection, [&](const store::Selection& selection) {
      collect(selection, engine, profile, reading, report);
    });
  });
  return report;
}

}  // namespace perfsift::tools
