#include "record/machine/limits.h"

#include <fstream>

#include <sys/resource.h>

namespace perfsift::record {

bool raise_open_files() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return false;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

std::optional<std::uint64_t> max_sample_rate(const std::string& proc) {
  std::ifstream file(proc + "/sys/kernel/perf_event_max_sample_rate");
  std::uint64_t rate = 0;
  return file >> rate ? std::optional(rate) : std::nullopt;
}

}  // namespace perfsift::record
