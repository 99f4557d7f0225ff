// Records about threads and their processes: names, starts and ends, namespaces, control groups, context switches.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "reader/format/record.h"

namespace perfsift::reader {

// PERF_RECORD_COMM: a thread got a new name.
struct Comm {
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  std::string_view name;  // in the record
  bool exec = false;      // the name came with a new program
};

std::optional<Comm> decode_comm(const Record& record);

// PERF_RECORD_FORK and PERF_RECORD_EXIT: a thread began, a thread ended.
struct Task {
  std::int32_t pid = -1;
  std::int32_t parent_pid = -1;
  std::int32_t tid = -1;
  std::int32_t parent_tid = -1;
  std::uint64_t time = 0;
  bool synthesised = false;  // FORK: perf wrote it for a thread that ran before; maps follow, none are copied
};

// Decodes FORK and EXIT records; record.header.type says which.
std::optional<Task> decode_task(const Record& record);

// A namespace, as the files in /proc/PID/ns link to it.
struct NamespaceLink {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
};

// PERF_RECORD_NAMESPACES: the namespaces of a thread.
struct Namespaces {
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  std::vector<NamespaceLink> links;  // in the kernel's order: net, uts, ipc, pid, user, mnt, cgroup
};

std::optional<Namespaces> decode_namespaces(const Record& record);

// PERF_RECORD_CGROUP: a control group, and its number in samples.
struct Cgroup {
  std::uint64_t id = 0;
  std::string_view path;  // in the record
};

std::optional<Cgroup> decode_cgroup(const Record& record);

// PERF_RECORD_SWITCH and PERF_RECORD_SWITCH_CPU_WIDE: a thread came onto a CPU or left the CPU. The sample_id
// trailer says which thread.
struct Switch {
  struct Other {
    std::int32_t pid = -1;
    std::int32_t tid = -1;
  };

  bool out = false;            // the thread left the CPU
  bool preempted = false;      // although it was still runnable
  std::optional<Other> other;  // SWITCH_CPU_WIDE: the next thread, or the thread before
};

// Decodes SWITCH and SWITCH_CPU_WIDE records.
std::optional<Switch> decode_switch(const Record& record);

}  // namespace perfsift::reader
