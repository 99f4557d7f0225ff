// The short forms of expressions about memory accesses: --min-latency, --level, --node.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "filter/filter.h"
#include "options/command_line.h"

namespace perfsift::options {

struct AccessOptions {
  // `node`: whether there is --node, too. Modules inside perf do not know the nodes of memory.
  void add_to(po::options_description& description, bool node);
  // An expression for each option that was given.
  std::vector<filter::FilterText> texts() const;

 private:
  std::vector<std::string> levels_;
  std::optional<std::uint64_t> least_latency_, node_;
};

}  // namespace perfsift::options
