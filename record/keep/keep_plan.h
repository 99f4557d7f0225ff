// The parts of `--keep EXPRESSION`: what the kernel decides, and what the recorder decides for each sample.
//
//   comm == "rx-0" && cpu < 4 && (event == "cycles" || prev_state == "D")
//
//   cpu < 4             events are opened on CPUs 0 to 3 only
//   prev_state == "D"   a tracepoint filter of sched:sched_switch, together with the name of the thread
//   comm == "rx-0"      decided by the recorder for each sample of cycles
//   any other event     is not opened
//
// An event that counts in one mode of the CPU only takes other samples than an event of both modes whose samples are
// dropped, as many a second in that mode (with a frequency, more), and none of the others.
//
// The kernel's part never drops a sample that the expression keeps. Two limits of recorded threads are those of the
// kernel: an event of a thread ends before the thread leaves its last CPU, and a number that is given to another
// thread later does not count.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "filter/source_text.h"
#include "reader/tracepoint.h"
#include "record/events/event_request.h"
#include "record/target.h"

namespace perfsift::record {

struct KeepRequest {
  std::vector<filter::FilterText> expressions;  // a sample must satisfy all of them
  std::vector<EventRequest> events;
  Target target;
  std::vector<unsigned> online_cpus;
  std::string proc = "/proc";  // to see which threads are running
};

// An event that is opened.
struct KeptEvent {
  EventRequest request;             // with a narrower filter, fewer CPUs and modes of the CPU than were asked for
  std::size_t asked = 0;            // the index in KeepRequest::events
  bool drops_all = false;           // the event is opened for its group only
  std::string residual;             // the recorder's part, in the filter language; empty: all samples are kept
  std::uint64_t sample_fields = 0;  // bits of sample_type that the recorder's part needs; both weights are never set
};

enum class KeptBy : std::uint8_t {
  tracepoint_filter,  // `what`: the filter in the kernel's language
  cpus,               // the CPUs: "0-3,7"
  processes,          // their numbers
  threads,            //
  cgroup,             // its path
  modes,              // "user", "kernel"
  not_opening,        // no sample of the event can be kept
  its_group,          // the event is opened for its group; the recorder drops all samples
  recorder,           // the expression
  nothing,            // all samples are kept
};

struct KeepReason {
  KeptBy by = KeptBy::nothing;
  std::string event;  // empty: all events
  std::string what;
};

struct KeepPlan {
  std::vector<KeptEvent> events;  // in the order of KeepRequest::events
  Target target;
  std::vector<KeepReason> reasons;
};

// `formats`: see tracepoint_formats(). Throws UsageError for an expression that is wrong, that asks for what is not
// known while samples are recorded, or that keeps no sample of any event.
KeepPlan plan_keep(const KeepRequest& request, const reader::TracepointFormats& formats);

// A sentence for each reason: "sched:sched_switch: kept by the kernel as a tracepoint filter: prev_pid == 7".
std::vector<std::string> explained(const KeepPlan& plan);

}  // namespace perfsift::record
