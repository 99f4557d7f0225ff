// The capabilities of root that a recorder still needs while it records; it gives up the others.
//
// Events, rings and the output are open by then, so a recorder of one file needs none. Each further file is a recording
// of its own, for which the machine and all processes are read again.
#pragma once

#include <cstdint>

namespace perfsift::tools {

struct RightsNeeded {
  bool command = false;       // its processes get signals, also those that run as another user
  bool more_files = false;    // --switch-output, --flight
  bool bpf_programs = false;  // loaded programs are described in each further file
  bool bpf_maps = false;      // of programs of its own: --in-kernel
  bool larger_rings = false;  // --flight fits the rings to the rate of samples
};

// A bit for each capability, by the numbers of linux/capability.h.
std::uint64_t capabilities_for(const RightsNeeded& needed);

// Leaves the calling thread these of its capabilities, and so the threads that it starts later. Processes that were
// started before, such as a recorded command, keep theirs. False: the kernel has refused, and nothing has changed.
bool give_up_capabilities_but(std::uint64_t kept);

}  // namespace perfsift::tools
