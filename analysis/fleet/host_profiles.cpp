#include "analysis/fleet/host_profiles.h"

namespace perfsift::analysis {

std::vector<Amount> HostProfiles::of_hosts() const {
  std::vector<Amount> sums(hosts.size());
  for (const HostCell& cell : cells) sums[cell.host] += cell.amount;
  return sums;
}

Amount HostProfiles::all() const {
  Amount sum;
  for (const HostCell& cell : cells) sum += cell.amount;
  return sum;
}

}  // namespace perfsift::analysis
