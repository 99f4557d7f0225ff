// PERF_RECORD_CALLCHAIN_DEFERRED: the user part of callchains, unwound when the thread went back to user space.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reader/record.h"

namespace perfsift::reader {

struct CallchainDeferred {
  std::uint64_t cookie = 0;              // the samples of this thread that it completes end with USER_DEFERRED and this
  std::vector<std::uint64_t> addresses;  // leaf first, with context markers
};

std::optional<CallchainDeferred> decode_callchain_deferred(const Record& record);

}  // namespace perfsift::reader
