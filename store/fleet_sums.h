// The sums of a fleet: what its services are, which functions matter, and how much each host spends in them. The engine
// adds up; what comes back is bounded by the hosts of a service times the functions above a bound.
//
// A service may have sides, which are compared. Each is a part of its samples, besides all of them:
//
//   parts     1.0   1.1   1.2     versions, or what was recorded before and after a time
//   side 0    all of them
//   side 1          1.1
//   side 2                1.2
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/fleet/host_profiles.h"
#include "analysis/gate/run.h"
#include "analysis/gate/verdict.h"
#include "store/engine/engine.h"
#include "store/engine/kept_rows.h"
#include "store/selection.h"

namespace perfsift::store {

// The functions that are kept apart: of a service's samples, or of those of one host, at least this share is in the
// function itself. All others are one.
inline constexpr double least_of_service = 0.001, least_of_host = 0.1;
// How many functions of single hosts are kept apart at most.
inline constexpr std::size_t most_functions_of_hosts = 1000;

// The services with samples, by name. Recordings without the label have the service "".
std::vector<std::string> services_of(Engine& engine, const Selection& selection);

// How samples are divided into parts.
struct FleetParts {
  bool versions = false;               // the label version
  std::optional<std::uint32_t> since;  // seconds since 1970: the parts are before_time and after_time
};
inline constexpr const char *before_time = "0", *after_time = "1";

// A version that samples have, and when it was first recorded.
struct StoredVersion {
  std::string name;
  std::uint64_t began = 0;  // nanoseconds since 1970
};

// A function by its name and the file name of its binary, which builds have in common.
struct FleetFunction {
  std::uint64_t key = 0;  // a hash of both
  analysis::FunctionName name;
};
using FleetFunctions = std::vector<FleetFunction>;

// Not thread-safe. The engine must live longer. All functions throw InputError.
class FleetSums {
 public:
  FleetSums(Engine& engine, const Selection& selection, const FleetParts& parts);

  // In the order in which versions were first recorded; at the same time, by name, with numbers as numbers.
  std::vector<StoredVersion> versions() const;
  // Makes parts the sides from 1 on.
  void keep_sides(std::vector<std::string> parts) { sides_ = std::move(parts); }
  // By side: the functions that matter, the most frequent first.
  std::vector<FleetFunctions> functions_that_matter();
  // By side: the samples of its hosts in these functions of the side, and in all others.
  std::vector<analysis::HostProfiles> host_profiles(std::span<const FleetFunctions> functions);

 private:
  struct Part {
    std::uint64_t began = 0;  // nanoseconds since 1970
    std::uint64_t samples = 0;
  };

  void read_parts();
  std::vector<std::uint64_t> least_of_sides(double shards) const;
  Parameters with_sides() const;

  Engine& engine_;
  Parameters parameters_;
  KeptRows cells_;                                  // by part, host and function
  std::map<std::string, Part, std::less<>> parts_;  // by name
  std::vector<std::string> sides_;
};

}  // namespace perfsift::store
