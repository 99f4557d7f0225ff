// PERF_RECORD_FORK and PERF_RECORD_EXIT: a thread began, a thread ended.
#pragma once

#include <cstdint>
#include <optional>

#include "reader/record.h"

namespace perfsift::reader {

struct Task {
  std::int32_t pid = -1;
  std::int32_t parent_pid = -1;
  std::int32_t tid = -1;
  std::int32_t parent_tid = -1;
  std::uint64_t time = 0;
  bool synthesised = false;  // FORK: made up by perf for a thread that ran already; its maps follow, none are copied
};

// Of a FORK or an EXIT; record.header.type tells which.
std::optional<Task> decode_task(const Record& record);

}  // namespace perfsift::reader
