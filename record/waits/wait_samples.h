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
// `copied_stack`: as in WaitPlan.
std::vector<reader::EventEntry> wait_events(std::uint32_t copied_stack = 0);
std::vector<std::string> wait_event_names();
std::vector<reader::TracepointDescription> wait_descriptions();

// A stack: addresses, the leaf first.
struct WaitCallchain {
  std::span<const std::uint64_t> kernel, user;
};

// A copy of the stack of the program: registers in perf's order, and bytes. Without registers there is none.
struct WaitStackCopy {
  std::uint64_t abi = 0;
  std::span<const std::uint64_t> registers;
  Bytes bytes;
};

// Where and when a sample was taken. -1: not known.
struct WaitSample {
  std::int32_t pid = -1, tid = -1;
  std::uint64_t time = 0;
  std::int32_t cpu = -1;
  std::uint64_t period = 0;
  WaitCallchain stack;
  WaitStackCopy copy;  // written if the event has copies
};

// Appends a SAMPLE of one of wait_events(copied_stack). `values`: of the fields of the tracepoint.
void append_wait_sample(const reader::MeasuredTracepoint& tracepoint, const WaitSample& sample,
                        std::span<const std::uint64_t> values, std::vector<std::byte>& records,
                        std::uint32_t copied_stack = 0);

}  // namespace perfsift::record
