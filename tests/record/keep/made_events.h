// Events for tests of --keep: tracepoints in a tracefs of their own, and events of other kinds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "record/events/event_parser.h"
#include "record/events/event_request.h"
#include "record/keep/keep_plan.h"
#include "record/keep/tracepoint_fields.h"
#include "tests/support/temporary.h"

namespace perfsift::test {

// The fields of sched:sched_switch as Linux 6.1 describes them.
inline constexpr std::string_view sched_switch_format =
    "name: sched_switch\nID: 372\nformat:\n"
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
    "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
    "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
    "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
    "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
    "\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
    "\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
    "\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"
    "\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
    "\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n\n"
    "print fmt: \"prev_pid=%d\", REC->prev_pid\n";

// A tracepoint with fields of many types.
inline constexpr std::string_view kinds_format =
    "name: kinds\nID: 900\nformat:\n"
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
    "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
    "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
    "\tfield:u8 level;\toffset:8;\tsize:1;\tsigned:0;\n"
    "\tfield:s8 small;\toffset:9;\tsize:1;\tsigned:1;\n"
    "\tfield:s16 delta;\toffset:10;\tsize:2;\tsigned:1;\n"
    "\tfield:unsigned int flags;\toffset:12;\tsize:4;\tsigned:0;\n"
    "\tfield:u64 bytes;\toffset:16;\tsize:8;\tsigned:0;\n"
    "\tfield:__data_loc char[] path;\toffset:24;\tsize:4;\tsigned:0;\n"
    "\tfield:unsigned char mac[6];\toffset:28;\tsize:6;\tsigned:0;\n"
    "\tfield:const char * label;\toffset:40;\tsize:8;\tsigned:0;\n\n"
    "print fmt: \"level=%d\", REC->level\n";

class MadeEvents {
 public:
  MadeEvents() {
    folder_.write("events/sched/sched_switch/format", sched_switch_format);
    folder_.write("events/made/kinds/format", kinds_format);
    folder_.write("proc/7/status", std::string_view("Name:\trx-0\n"));
    folder_.write("proc/8/status", std::string_view("Name:\trx-1\n"));
  }

  record::EventSources sources() const { return {.sysfs = {}, .tracefs = folder_.path().string()}; }
  std::string proc() const { return folder_.path().string() + "/proc"; }

  static record::EventRequest event(std::string name, std::uint32_t type, std::uint64_t config) {
    record::EventRequest request;
    request.name = std::move(name);
    request.attr.type = type;
    request.attr.config = config;
    return request;
  }
  static record::EventRequest sched_switch() { return event("sched:sched_switch", 2, 372); }
  static record::EventRequest kinds() { return event("made:kinds", 2, 900); }
  static record::EventRequest cycles() { return event("cycles", 0, 0); }
  static record::EventRequest cpu_clock() { return event("cpu-clock:u", 1, 0); }

  // The events with their groups: each one for itself.
  static std::vector<record::EventRequest> alone(std::vector<record::EventRequest> events) {
    for (std::size_t i = 0; i < events.size(); ++i) events[i].leader = i;
    return events;
  }

  // Of all threads on CPUs 0 to 7.
  record::KeepRequest request(const std::string& expression, std::vector<record::EventRequest> events) const {
    record::KeepRequest request;
    request.expressions = {{.origin = "--keep", .text = expression}};
    request.events = alone(std::move(events));
    request.target.system_wide = true;
    request.online_cpus = {0, 1, 2, 3, 4, 5, 6, 7};
    request.proc = proc();
    return request;
  }
  record::KeepPlan plan(const record::KeepRequest& request) const {
    return plan_keep(request, tracepoint_formats(request.events, sources()));
  }
  record::KeepPlan plan(const std::string& expression, std::vector<record::EventRequest> events) const {
    return plan(request(expression, std::move(events)));
  }

 private:
  TemporaryDirectory folder_;
};

}  // namespace perfsift::test
