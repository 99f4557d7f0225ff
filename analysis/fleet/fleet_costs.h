// What functions cost a fleet: their shares of all that its hosts spend, and how sure the shares are.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/fleet/host_profiles.h"
#include "analysis/gate/verdict.h"
#include "analysis/profile/amount.h"

namespace perfsift::analysis {

struct FunctionCost {
  FunctionName function;
  Amount amount;   // of the function itself
  Estimate share;  // of the values of all samples
  std::uint64_t hosts = 0;
  std::vector<std::string> services;  // by name
};

// Adds up services, one after the other, so that the memory does not grow with their cells. Not thread-safe.
class FleetCosts {
 public:
  void add(std::string_view service, const HostProfiles& profiles);
  // The functions with the largest values first. Without a function that stands for others. A share is that of a ratio
  // estimator whose repeats are the hosts (Cochran, Sampling Techniques, chapter 6). One host tells no spread: its
  // interval is that of independent samples.
  std::vector<FunctionCost> take(double level) const;

  const Amount& all() const { return all_; }
  std::uint64_t hosts() const { return hosts_.size(); }
  // What functions cost that are rare in their service and on each host.
  const Amount& others() const { return others_; }

 private:
  // x: the value of a function on a host; n: the value of all samples there.
  struct Sums {
    Amount amount;
    double squares = 0;   // of x
    double products = 0;  // of x and n
    std::vector<bool> hosts;
    std::vector<std::string> services;
  };

  Estimate share_of(const Sums& sums, double level) const;
  std::uint32_t number_of(const std::string& host);

  std::map<std::pair<std::string, std::string>, Sums> functions_;  // by name and binary
  std::map<std::string, std::uint32_t> hosts_;
  Amount all_, others_;
  double squares_of_all_ = 0;  // of n
  std::uint64_t units_ = 0;    // hosts of services
};

}  // namespace perfsift::analysis
