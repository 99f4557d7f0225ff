// The samples of some events, processes, threads, CPUs, of a stretch of time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

#include "tools/filtering/sample_selection.h"

namespace perfsift::tools {

// A sample is kept when it is of one of each that was given.
struct SimpleSelection {
  std::vector<std::string> events;  // names and globs
  std::vector<std::int32_t> pids;
  std::vector<std::int32_t> tids;
  std::vector<std::int32_t> cpus;
  std::uint64_t from = 0;                 // nanoseconds of the event clock
  std::uint64_t until = reader::no_time;  // inclusive

  void add_to(boost::program_options::options_description& options);
  SelectionFactory of(const reader::Recording& recording) const;
};

}  // namespace perfsift::tools
