// What this user can record on this machine.
//
// Where the kernel can be asked, it is asked: events are opened and closed again. Settings explain the answers.
#pragma once

#include <cstddef>

#include "record/doctor/finding.h"
#include "record/events/event_parser.h"
#include "record/events/event_request.h"
#include "record/events/system_settings.h"
#include "record/events/trial.h"
#include "record/machine/kernel_files.h"

namespace perfsift::record {

struct Machine {
  KernelRoots roots;
  SystemSettings settings;
  EventSources sources;
  OpenTrial open;
  std::size_t cpus = 1;  // that are online, as record finds them; 0: not known

  // The machine that runs this program, with the files of its kernel below `roots`.
  static Machine running(const KernelRoots& roots = {});
};

// The lines about rights, events, rings and limits, in the order in which they are shown.
Findings recording_findings(const Machine& machine);

// Whether a process can record itself at all: without this nothing else matters.
bool can_record(const Machine& machine);

}  // namespace perfsift::record
