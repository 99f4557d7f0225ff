// What runs already when a recording begins: records like the kernel's, made from /proc and sysfs. The kernel records
// only changes; without these records the names and mappings of running processes would be unknown.
//
// The records have no times, so readers take them as older than all others. To leave no gap, counting must have begun
// before: a change during the synthesis is then recorded by the kernel, and takes effect after it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/byte_reader.h"
#include "record/machine/kernel_files.h"

namespace perfsift::record {

struct SynthesisPlan {
  // FORK, COMM and MMAP2 of these processes and all their threads. A thread stands for its process. Numbers that do not
  // exist (any more) are left out.
  std::vector<std::int32_t> processes;
  bool all_processes = false;  // instead of `processes`
  bool data_mappings = false;  // MMAP2 also of readable memory that is not executable
  bool namespaces = false;     // NAMESPACES of each thread
  bool cgroups = false;        // CGROUP of each control group
  bool build_ids = true;       // in MMAP2; otherwise device and inode of the file
  bool kernel = true;  // the kernel's own code: MMAP2 of kernel and modules, KSYMBOL and BPF_EVENT of BPF programs
  // The sample_type of the recording's first event if that event has sample_id_all; 0: records have no trailer.
  std::uint64_t sample_type = 0;
  unsigned threads = 1;  // that read processes
  // A process whose mappings take longer to read keeps the rest for itself: perf's --proc-map-timeout.
  std::chrono::milliseconds longest_read{500};
  KernelRoots roots;
  std::string cgroup_root;  // empty: where perf finds the control groups (cgroupfs_find_mountpoint())
};

struct SynthesisCounts {
  std::size_t processes = 0, threads = 0, mappings = 0;
  std::size_t cut_processes = 0;  // whose mappings took too long to read
};

// Calls `take` with whole records. One call at a time, from any thread; the bytes are valid during the call. Processes
// and threads that end meanwhile are no error. What `take` throws is rethrown here.
SynthesisCounts synthesise(const SynthesisPlan& plan, const std::function<void(Bytes records)>& take);

}  // namespace perfsift::record
