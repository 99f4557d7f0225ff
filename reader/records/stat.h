// Records about counters: what `perf stat record` and `perf record --stat` counted, and for which CPUs and threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "reader/format/record.h"
#include "reader/format/sample.h"

namespace perfsift::reader {

// PERF_RECORD_CPU_MAP: a set of CPUs, in one of four encodings.
struct CpuMap {
  std::vector<std::int32_t> cpus;  // ascending if the writer's list was; -1: any CPU
};

std::optional<CpuMap> decode_cpu_map(const Record& record);

// The map inside the record, struct perf_record_cpu_map_data, which EVENT_UPDATE has too. A malformed map makes `in`
// not ok().
CpuMap read_cpu_map(ByteReader& in);

// PERF_RECORD_THREAD_MAP: the threads that `perf stat record` counted.
struct ThreadMap {
  struct Thread {
    std::int32_t tid = -1;  // -1: all threads
    std::string_view comm;  // in the record
  };
  std::vector<Thread> threads;
};

std::optional<ThreadMap> decode_thread_map(const Record& record);

// PERF_RECORD_STAT_CONFIG: the settings of `perf stat record`.
struct StatConfig {
  struct Term {
    std::uint64_t tag = 0;  // 0: how counts are aggregated, 1: interval in milliseconds, 2: whether counts are scaled
    std::uint64_t value = 0;
  };
  std::vector<Term> terms;
};

// PERF_RECORD_STAT: the count of an event.
struct Stat {
  std::uint64_t id = 0;  // of the event
  std::int32_t cpu = -1;
  std::int32_t thread = -1;  // index into the THREAD_MAP
  std::uint64_t value = 0;
  std::uint64_t time_enabled = 0;
  std::uint64_t time_running = 0;
};

// PERF_RECORD_STAT_ROUND: the end of an interval, or of the run.
struct StatRound {
  enum class Kind : std::uint64_t { interval, final };

  Kind kind = Kind::interval;
  std::uint64_t time = 0;
};

std::optional<StatConfig> decode_stat_config(const Record& record);
std::optional<Stat> decode_stat(const Record& record);
std::optional<StatRound> decode_stat_round(const Record& record);

// PERF_RECORD_READ: the counters of a thread that ended (`perf record --stat`).
struct Read {
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  std::uint64_t time_enabled = 0;  // 0 where read_format has no times
  std::uint64_t time_running = 0;
  std::vector<ReadValue> counters;  // one counter, or all counters of a group
};

// `read_format`: of the record's event; decides the layout.
std::optional<Read> decode_read(const Record& record, std::uint64_t read_format);

}  // namespace perfsift::reader
