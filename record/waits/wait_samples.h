// Waits as records of a recording: see reader/format/measured_waits.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reader/format/event.h"
#include "reader/format/measured_waits.h"
#include "reader/tracepoint.h"
#include "reader/writer/header_content.h"

namespace perfsift::record {

// What the header of the recording has for the samples. The ids are higher than those that kernels give.
std::vector<reader::EventEntry> wait_events();
std::vector<std::string> wait_event_names();
std::vector<reader::TracepointDescription> wait_descriptions();

// A stack: addresses, the leaf first.
struct WaitCallchain {
  std::span<const std::uint64_t> kernel, user;
};

// Where and when a sample was taken. -1: not known.
struct WaitSample {
  std::int32_t pid = -1, tid = -1;
  std::uint64_t time = 0;
  std::int32_t cpu = -1;
  std::uint64_t period = 0;
  WaitCallchain stack;
};

// Appends a SAMPLE. `values`: of the fields of the tracepoint.
void append_wait_sample(const reader::MeasuredTracepoint& tracepoint, const WaitSample& sample,
                        std::span<const std::uint64_t> values, std::vector<std::byte>& records);

}  // namespace perfsift::record
