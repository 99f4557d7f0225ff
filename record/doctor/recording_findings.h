// What this user can record on this machine.
//
// Where the kernel can be asked, it is asked: events are opened and closed again. Settings explain the answers.
#pragma once

#include <functional>

#include "record/doctor/finding.h"
#include "record/events/event_parser.h"
#include "record/events/event_request.h"
#include "record/events/system_settings.h"
#include "record/machine/kernel_files.h"
#include "record/rings/counter.h"

namespace perfsift::record {

struct Machine {
  KernelRoots roots;
  SystemSettings settings;
  EventSources sources;
  // Opens an event, and closes it again. Returns 0, or the error number of the kernel. Tests give their own.
  std::function<int(const reader::EventAttr& attr, const CounterPlace& place)> open;
  unsigned cpus = 1;  // that are online

  // The machine that runs this program, with the files of its kernel below `roots`.
  static Machine running(const KernelRoots& roots = {});
};

// The lines about rights, events, rings and limits, in the order in which they are shown.
Findings recording_findings(const Machine& machine);

// Whether a process can record itself at all: without this nothing else matters.
bool can_record(const Machine& machine);

}  // namespace perfsift::record
