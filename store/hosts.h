// The hosts of a store as repeats of one measurement, for a gate.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/gate/run.h"
#include "store/engine/engine.h"
#include "store/selection.h"

namespace perfsift::store {

// The hosts of the wanted recordings, by name, without their counts. The environment is the kernel and the machine,
// where all recordings of a host agree: the names of hosts differ on purpose, and say nothing about a measurement.
std::vector<analysis::Run> describe_hosts(Engine& engine, const Selection& selection);

// SQL: the loads of the wanted recordings, each with its host.
std::string hosts_of_loads(const Selection& selection);

// The host in the name of a run.
std::string_view host_of(const analysis::Run& run);

}  // namespace perfsift::store
