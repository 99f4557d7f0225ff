// Which waits are measured in the kernel, and how much memory the kernel holds for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace perfsift::record {

// Empty lists set no limits.
struct WaitPlan {
  static constexpr std::uint32_t most_copied = 24 * 1024;  // what a map of each CPU can hold

  std::vector<std::uint32_t> pids, tids;
  std::vector<std::string> comms;      // at most 15 bytes each: the kernel cuts names
  std::vector<std::uint64_t> cgroups;  // ids; without the groups below them
  bool some_processes = false;         // pids count also if there are none yet: see WaitPrograms::add_process()
  bool inherit = true;                 // what pids and tids start counts, too
  bool user_threads = false, kernel_threads = false;  // only these
  std::uint32_t states = 0;                           // the bits of offcpu::TaskState that count; 0: all
  std::uint64_t shortest = 0;                         // nanoseconds
  std::uint64_t longest = 0;                          // 0: no limit
  std::uint64_t over = 0;                             // intervals of at least so many nanoseconds are sent; 0: none
  bool user_stacks = true, kernel_stacks = true;
  std::uint32_t copied_stack = 0;  // the bytes of the program's stack that are sent with an interval; 0: none
  bool count_programs = false;     // the kernel counts the run time of all BPF programs meanwhile, which costs, too

  std::size_t rows = std::size_t{1} << 16;  // of each of the two tables
  std::size_t threads = std::size_t{1} << 16;
  std::size_t stacks = std::size_t{1} << 14;
  std::size_t event_bytes = std::size_t{4} << 20;
  std::size_t copies = std::size_t{1} << 12;  // of stacks of threads that are off their CPUs
};

}  // namespace perfsift::record
