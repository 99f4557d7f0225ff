// The samples of a service by host and function: what a fleet is judged by.
//
//   hosts          a   b   c
//   functions
//     [others]     9  10   8     functions that are rare in the service and on each host
//     sort        40  41  72
//     parse        5   4   5
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/gate/verdict.h"
#include "analysis/profile/amount.h"

namespace perfsift::analysis {

// The samples of a host in a function itself, without its callees.
struct HostCell {
  std::uint32_t host = 0;      // index of HostProfiles::hosts
  std::uint32_t function = 0;  // index of HostProfiles::functions
  Amount amount;
};

struct HostProfiles {
  // The function that stands for all others.
  static constexpr std::uint32_t others = 0;

  std::vector<std::string> hosts;  // by name
  std::vector<FunctionName> functions{{.name = "[other functions]", .binary = {}}};
  std::vector<HostCell> cells;  // by host, then by function; none without samples

  // All samples of each host.
  std::vector<Amount> of_hosts() const;
  Amount all() const;
};

// Calls use(host, cells) for each host.
template <typename Use>
void for_each_host(const HostProfiles& profiles, Use&& use) {
  const std::span<const HostCell> cells(profiles.cells);
  std::size_t at = 0;
  for (std::uint32_t host = 0; host < profiles.hosts.size(); ++host) {
    const std::size_t begin = at;
    while (at < cells.size() && cells[at].host == host) ++at;
    use(host, cells.subspan(begin, at - begin));
  }
}

}  // namespace perfsift::analysis
