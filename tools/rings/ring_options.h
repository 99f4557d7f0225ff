// The options of perfsift rings.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "options/command_line.h"
#include "record/bpf/payload_source.h"

namespace perfsift::tools {

struct RingOptions {
  std::vector<std::string> maps;
  std::string type;
  std::string filter;
  std::string output;  // empty: text
  std::optional<std::uint64_t> most;
  std::optional<std::chrono::nanoseconds> longest;
  record::PayloadSourcePlan source;
  bool list = false;
  bool json = false;
  bool take = false;
  bool quiet = false;

  void add_to(options::po::options_description& options);
  // Reads what add_to() only stores as text. Throws UsageError.
  void complete();

 private:
  std::string cpus_, pages_, longest_;
};

}  // namespace perfsift::tools
