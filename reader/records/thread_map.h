// PERF_RECORD_THREAD_MAP: the threads that `perf stat record` counted.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "reader/record.h"

namespace perfsift::reader {

struct ThreadMap {
  struct Thread {
    std::int32_t tid = -1;  // -1: all of the machine
    std::string_view comm;  // in the record
  };
  std::vector<Thread> threads;
};

std::optional<ThreadMap> decode_thread_map(const Record& record);

}  // namespace perfsift::reader
