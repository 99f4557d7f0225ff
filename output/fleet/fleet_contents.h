// What perfsift fleet found, and the command lines that show it as a picture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/fleet/fleet_costs.h"
#include "analysis/fleet/odd_hosts.h"
#include "analysis/gate/verdict.h"

namespace perfsift::output {

// A row of the table of functions.
struct CostRow {
  analysis::FunctionCost cost;
  std::string command;
};

// One of the sets of recordings that are compared.
struct FleetSide {
  std::string name;  // "version 1.1", "before 2026-11-28T10:00:00Z"
  std::uint64_t hosts = 0;
  std::optional<std::uint64_t> began;  // of a version: when it was first recorded, in nanoseconds since 1970
};

struct FleetComparison {
  std::string service;
  FleetSide before, after;
  std::string why_not;                       // there is nothing to compare; empty: there is a verdict
  std::optional<analysis::Verdict> verdict;  // whose reasons may say that it cannot be judged
  std::string command;

  bool is_judged() const { return verdict && verdict->outcome != analysis::Outcome::cannot_judge; }
};

struct OddHostRow {
  std::string service, host;
  analysis::HostDistance distance;
  double usual = 0;  // the median distance of the service's hosts
  double usual_elsewhere = 0;
  double adjusted_p = 1;
  // The side of a comparison that alone has the host, as "version 1.2"; empty: both have it, or nothing is compared.
  std::string side;
  std::string command;
};

// The hosts of a service that were judged, and those that were not.
struct JudgedHosts {
  std::string service;
  std::size_t judged = 0, too_few_samples = 0, all = 0;
};

struct FleetContents {
  std::string store;  // its address, as it was given
  std::string event, unit;
  bool in_nanoseconds = false;
  std::uint64_t recordings = 0, hosts = 0;
  analysis::Amount all, others;  // others: of functions that are not among the rows, as they are rare
  std::vector<CostRow> functions;
  std::string command;  // draws all
  std::vector<FleetComparison> comparisons;
  std::string no_comparison;  // why there is none at all
  std::vector<OddHostRow> odd_hosts;
  std::vector<JudgedHosts> judged_hosts;
  analysis::OddHostRules rules;
  std::size_t limit = 0;  // rows of each part in text; 0: all
  std::vector<std::string> notes;

  std::size_t hosts_judged() const {
    std::size_t sum = 0;
    for (const JudgedHosts& of_service : judged_hosts) sum += of_service.judged;
    return sum;
  }
};

}  // namespace perfsift::output
