// The sums of a fleet: what its services are, which functions matter, and how much each host spends in them. The engine
// adds up; what comes back is bounded by the hosts of a service times the functions above a bound.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/fleet/host_profiles.h"
#include "analysis/gate/run.h"
#include "analysis/gate/verdict.h"
#include "store/engine/engine.h"
#include "store/selection.h"

namespace perfsift::store {

// The functions that are kept apart: of a service's samples, or of those of one host, at least this share is in the
// function itself. All others are one.
inline constexpr double least_of_service = 0.001, least_of_host = 0.1;
// How many functions of single hosts are kept apart at most.
inline constexpr std::size_t most_functions_of_hosts = 1000;

// The services with samples, by name. Recordings without the label have the service "".
std::vector<std::string> services_of(Engine& engine, const Selection& selection);

// A version that samples have, and when it was first recorded.
struct StoredVersion {
  std::string name;
  std::uint64_t began = 0;  // nanoseconds since 1970
};
// In the order in which versions were first recorded; at the same time, by name, with numbers as numbers.
std::vector<StoredVersion> versions_of(Engine& engine, const Selection& selection);

// A function by its name and the file name of its binary, which builds have in common.
struct FleetFunction {
  std::uint64_t key = 0;  // a hash of both
  analysis::FunctionName name;
};
// The functions of a service that matter, the most frequent first.
std::vector<FleetFunction> functions_that_matter(Engine& engine, const Selection& selection);
// The samples of hosts in these functions, and in all others.
analysis::HostProfiles host_profiles(Engine& engine, const Selection& selection,
                                     std::span<const FleetFunction> functions);

}  // namespace perfsift::store
