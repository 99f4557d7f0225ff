// The hosts whose profiles differ from that of their service by more than its hosts usually differ.
//
// The distance of two profiles p and q is Hellinger's: H² = ½ Σ (√p - √q)². Square roots make the noise of a share
// nearly independent of the share, so that rare and frequent functions count alike. The profile of the service is, for
// each function, the mean of the middle half of its hosts' shares, which a quarter of odd hosts cannot move far.
//
// A host of few samples is farther away by chance alone. The square of its distance is therefore divided by what is
// expected: the noise of its number of samples, and what hosts differ by in addition (a median). The cube root of the
// quotient is about normal (Wilson and Hilferty, 1931). Its median and its median absolute deviation over all hosts
// tell what is usual, and Student's distribution how unlikely a host is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/fleet/host_profiles.h"
#include "analysis/gate/verdict.h"

namespace perfsift::analysis {

struct OddHostRules {
  double level = 0.01;           // of false alarms, over all hosts
  double interval_level = 0.05;  // intervals have the true value with a probability of 1 minus this
  double min_share = 0.05;       // of a host's samples that must be elsewhere than usual, beyond what hosts differ by
  std::uint64_t min_samples = 100;  // of a host that is judged
  std::size_t min_hosts = 8;        // of a service whose hosts are judged: the spread of fewer is not known
};

// A function that a host runs more, or less, than is usual: where most of its distance comes from.
struct OddFunction {
  FunctionName function;
  double usual = 0;  // its share of the samples of the service's hosts
  Estimate effect;   // the share of the host's samples minus the usual one
};

struct HostDistance {
  std::uint32_t host = 0;  // index of HostProfiles::hosts
  std::uint64_t samples = 0;
  Estimate distance;     // Hellinger's, from 0 to 1
  double elsewhere = 0;  // the share of samples that would have to be in other functions for the usual profile
  double by_chance = 0;  // how many of them the number of samples explains
  double p = 1;          // of such a distance of a usual host
  std::optional<OddFunction> function;
};

struct HostDistances {
  std::vector<HostDistance> hosts;  // those that were judged, in the order of HostProfiles::hosts
  double usual = 0;                 // the median distance
  double usual_elsewhere = 0;       // the median of HostDistance::elsewhere
  std::size_t too_few_samples = 0;  // hosts that were not judged
};

// No host is judged where the service has too few.
HostDistances host_distances(const HostProfiles& profiles, const OddHostRules& rules);

// One of HostDistances::hosts.
struct OddHost {
  std::size_t index = 0;
  double adjusted_p = 1;  // p after the correction of Benjamini and Hochberg for all hosts of all services
};
// The hosts of each service that are odd, the farthest first.
std::vector<std::vector<OddHost>> odd_hosts(const std::vector<HostDistances>& services, const OddHostRules& rules);

}  // namespace perfsift::analysis
