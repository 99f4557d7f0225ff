#include "tools/record/recording_header.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "reader/writer/features/features.h"
#include "reader/writer/features/tracing_data.h"
#include "reader/writer/records/auxtrace.h"
#include "reader/writer/records/header_records.h"
#include "record/events/tracepoints.h"
#include "record/machine/machine.h"
#include "record/machine/run.h"
#include "record/synthesis/synthesis.h"
#include "record/synthesis/trace_info.h"
#include "record/waits/wait_samples.h"

namespace perfsift::tools {
namespace {

using record::EventRequest;
using record::Session;
using record::SessionPlan;
using Take = TakeRecords;

std::vector<record::TracepointName> tracepoints_of(const SessionPlan& plan) {
  std::vector<record::TracepointName> tracepoints;
  for (const EventRequest& event : plan.events) {
    if (auto name = record::tracepoint_name(event)) tracepoints.push_back(std::move(*name));
  }
  return tracepoints;
}

// The groups of two events and more. perf's name of a group without a name: write_group_desc() in
// tools/perf/util/header.c.
std::vector<reader::EventGroup> groups_of(const SessionPlan& plan) {
  std::vector<reader::EventGroup> groups;
  for (std::uint32_t leader = 0; leader < plan.events.size(); ++leader) {
    const auto members = std::ranges::count(plan.events, leader, &EventRequest::leader);
    if (members < 2) continue;
    const std::string& name = plan.events[leader].group_name;
    groups.push_back({.name = name.empty() ? "{anon_group}" : name,
                      .leader = leader,
                      .members = static_cast<std::uint32_t>(members)});
  }
  return groups;
}

// Readers find the event of a record that is no sample by the id in the record: several events need a table.
void write_id_index(const Session& session, const Take& take) {
  if (session.events().size() < 2) return;
  reader::IdIndex index;
  for (const record::CounterInfo& counter : session.counters()) {
    index.entries.push_back({.id = counter.id,
                             .index = counter.ring,
                             .cpu = counter.place.cpu,
                             .tid = counter.place.tid,
                             .machine_pid = 0,
                             .vcpu = -1});
  }
  take(reader::encode_id_index(index, ByteOrder::native));
}

void write_event_updates(const Session& session, const SessionPlan& plan, const Take& take) {
  using Kind = reader::EventUpdate::Kind;
  for (std::size_t i = 0; i < plan.events.size(); ++i) {
    const EventRequest& event = plan.events[i];
    if (session.events()[i].ids.empty()) continue;
    const std::uint64_t id = session.events()[i].ids.front();
    if (!event.unit.empty())
      take(reader::encode_event_update({.kind = Kind::unit, .id = id, .text = event.unit}, ByteOrder::native));
    if (event.scale != 1.0)
      take(reader::encode_event_update({.kind = Kind::scale, .id = id, .scale = event.scale}, ByteOrder::native));
  }
}

// What readers need to decode a trace: perf writes it before all records of the kernel, too (record__synthesize()).
void write_trace_settings(const Session& session, const SessionPlan& plan, const Take& take) {
  const auto info = record::trace_info(plan.events, record::KernelRoots().sysfs);
  if (!info) return;
  if (const auto conversion = session.time_conversion()) take(reader::encode_time_conv(*conversion, ByteOrder::native));
  take(reader::encode_auxtrace_info(*info, ByteOrder::native));
}

// The kernel's trailer is that of the first event with sample_id_all: all events have it.
std::uint64_t trailer_of(const Session& session) {
  const auto attr = reader::decode_event_attr(session.events().front().attr, ByteOrder::native);
  return attr && attr->sample_id_all() ? attr->sample_type : 0;
}

record::SynthesisPlan synthesis_of(const Session& session, const SessionPlan& plan,
                                   const std::set<std::int32_t>& more) {
  record::SynthesisPlan synthesis;
  synthesis.all_processes = plan.target.on_cpus();
  std::set<std::int32_t> processes = more;
  for (const record::CounterInfo& counter : session.counters()) {
    if (counter.place.tid > 0) processes.insert(counter.place.tid);
  }
  synthesis.processes.assign(processes.begin(), processes.end());
  synthesis.data_mappings = plan.content.addresses;
  synthesis.namespaces = plan.side_band.namespaces;
  synthesis.cgroups = plan.side_band.cgroups;
  synthesis.build_ids = plan.side_band.build_ids;
  synthesis.sample_type = trailer_of(session);
  synthesis.threads = std::clamp(std::thread::hardware_concurrency(), 1u, 8u);
  return synthesis;
}

}  // namespace

reader::HeaderContent header_of(const record::Run& run, std::vector<std::byte> tracing_data) {
  reader::Features features = record::machine_features();
  record::add_run(features, run);
  features.tracing_data = std::move(tracing_data);
  reader::HeaderContent header;
  header.events = run.events;
  header.features = reader::encode_features(features, ByteOrder::native);
  return header;
}

reader::HeaderContent header_of(const Session& session, const SessionPlan& plan,
                                const std::vector<std::string>& command_line, const record::WaitRecorder* waits) {
  record::Run run{.events = session.events(),
                  .event_names = session.event_names(),
                  .groups = groups_of(plan),
                  .command_line = command_line};
  if (waits != nullptr) {
    std::ranges::move(record::wait_events(waits->copied_stack()), std::back_inserter(run.events));
    std::ranges::move(record::wait_event_names(), std::back_inserter(run.event_names));
    return header_of(run, reader::encode_made_tracepoints(record::wait_descriptions()));
  }
  return header_of(run, record::tracing_data_of(tracepoints_of(plan), record::tracefs_of({})));
}

void write_counters(const Session& session, const SessionPlan& plan, const Take& take) {
  write_id_index(session, take);
  write_trace_settings(session, plan, take);
  write_event_updates(session, plan, take);
}

std::vector<std::string> write_what_runs(const Session& session, const SessionPlan& plan,
                                         const std::set<std::int32_t>& more, const Take& take) {
  const record::SynthesisCounts counts = record::synthesise(synthesis_of(session, plan, more), take);
  if (counts.cut_processes == 0) return {};
  return {
      fmt::format("the mappings of {} processes took too long to read: their code has no names", counts.cut_processes)};
}

std::vector<std::string> renew_names(Session& session, const SessionPlan& plan, record::SideBandLog& names,
                                     record::RecordSink& sink) {
  session.drain(sink);
  names.begin_generation(std::chrono::steady_clock::now());
  return write_what_runs(session, plan, names.started_processes(), [&](Bytes records) { names.add_state(records); });
}

std::vector<std::string> write_opening_records(const Session& session, const SessionPlan& plan, const Take& take) {
  write_counters(session, plan, take);
  std::vector<std::string> warnings = write_what_runs(session, plan, {}, take);
  take(reader::encode_finished_init(ByteOrder::native));
  return warnings;
}

}  // namespace perfsift::tools
