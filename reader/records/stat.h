// PERF_RECORD_STAT_CONFIG, PERF_RECORD_STAT and PERF_RECORD_STAT_ROUND: what `perf stat record` counted.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reader/record.h"

namespace perfsift::reader {

struct StatConfig {
  struct Term {
    std::uint64_t tag = 0;  // 0 how counts are added up, 1 interval in milliseconds, 2 whether they are scaled
    std::uint64_t value = 0;
  };
  std::vector<Term> terms;
};

struct Stat {
  std::uint64_t id = 0;  // of the event
  std::int32_t cpu = -1;
  std::int32_t thread = -1;  // index into the THREAD_MAP
  std::uint64_t value = 0;
  std::uint64_t time_enabled = 0;
  std::uint64_t time_running = 0;
};

struct StatRound {
  enum class Kind : std::uint64_t { interval, final };

  Kind kind = Kind::interval;
  std::uint64_t time = 0;
};

std::optional<StatConfig> decode_stat_config(const Record& record);
std::optional<Stat> decode_stat(const Record& record);
std::optional<StatRound> decode_stat_round(const Record& record);

}  // namespace perfsift::reader
