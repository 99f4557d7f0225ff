// The thread of a sample in pictures over time.
//
// The idle threads of all CPUs have the number 0, and run at the same time. Here each is a separate thread, with the
// kernel's name for it, swapper/CPU.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "analysis/table/sample_row.h"

namespace perfsift::analysis {

struct LaneThread {
  LaneThread(const SampleContext& context, std::int32_t cpu)
      : pid(context.pid), tid(context.tid), idle_cpu(context.pid <= 0 && context.tid == 0 ? cpu : -1) {}
  auto operator<=>(const LaneThread&) const = default;

  // `comm`: the thread's name in a sample.
  std::string name(const std::string& comm) const {
    return idle_cpu < 0 ? comm : comm + '/' + std::to_string(idle_cpu);
  }

  std::int32_t pid, tid;  // -1: not known
  std::int32_t idle_cpu;  // -1: not an idle thread, or its CPU is not known
};

}  // namespace perfsift::analysis
