// The comparison of two sets of hosts of a service: the hosts are the repeats of a gate.
#pragma once

#include <string>
#include <vector>

#include "analysis/fleet/host_profiles.h"
#include "analysis/gate/run.h"
#include "analysis/gate/verdict.h"

namespace perfsift::analysis {

// One side.
struct HostSide {
  const HostProfiles& profiles;
  std::vector<Run> hosts;  // in the order of the profiles, without counts: what is known of each host's recordings
};

// The verdict on the costs of functions themselves, without their callees, of hosts with samples.
Verdict compare_hosts(HostSide before, HostSide after, const std::string& event, const Rules& rules);

}  // namespace perfsift::analysis
