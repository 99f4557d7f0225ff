// Everything that perf synthesises here is in our records, too.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "reader/records/process.h"
#include "record/machine/mounts.h"
#include "tests/record/perf_beside.h"
#include "tests/record/synthesis/taken_records.h"
#include "tests/support/temporary.h"

namespace perfsift::record {
namespace {

using reader::RecordType;

// A text for each record, by which records of processes can be compared.
std::string text_of_record(const reader::Record& record) {
  if (record.header.type == RecordType::comm) {
    const auto comm = reader::decode_comm(record).value();
    return fmt::format("comm {}/{} {}", comm.pid, comm.tid, comm.name);
  }
  if (record.header.type == RecordType::fork) {
    const auto fork = reader::decode_task(record).value();
    return fmt::format("fork {}/{} by {}/{} {}", fork.pid, fork.tid, fork.parent_pid, fork.parent_tid,
                       fork.synthesised);
  }
  if (record.header.type == RecordType::namespaces) {
    const auto namespaces = reader::decode_namespaces(record).value();
    std::string text = fmt::format("namespaces {}/{}", namespaces.pid, namespaces.tid);
    for (const auto& link : namespaces.links) text += fmt::format(" {}:{}", link.device, link.inode);
    return text;
  }
  if (record.header.type == RecordType::cgroup) {
    const auto cgroup = reader::decode_cgroup(record).value();
    return fmt::format("cgroup {} {}", cgroup.id, cgroup.path);
  }
  if (record.header.type == RecordType::mmap2 || record.header.type == RecordType::mmap) {
    const auto mmap =
        (record.header.type == RecordType::mmap ? reader::decode_mmap : reader::decode_mmap2)(record).value();
    return fmt::format("mmap {} {:x} {:x} {:x} {} {} {} {}", mmap.pid, mmap.start, mmap.length, mmap.page_offset,
                       mmap.pid < 0 ? 0 : mmap.protection, mmap.flags, mmap.build_id.hex(), mmap.path);
  }
  return {};
}

std::int32_t pid_of(const reader::Record& record) {
  if (record.header.type == RecordType::cgroup) return -1;
  auto in = record.reader();
  return in.i32();
}

// perf takes the files of a process in another root, such as the starter of a chroot, from its own root.
bool is_in_our_root(std::int32_t pid) {
  std::error_code unknown;
  return std::filesystem::equivalent(fmt::format("/proc/{}/root", pid), "/", unknown);
}

// Processes that live longer than this test: this process and its parents; -1: the kernel.
std::set<std::int32_t> lasting_processes() {
  std::set<std::int32_t> pids{-1};
  if (is_in_our_root(1)) pids.insert(1);
  for (std::int32_t pid = getpid(); pid > 1;) {
    if (is_in_our_root(pid)) pids.insert(pid);
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    std::int32_t parent = 0;
    for (std::string line; std::getline(status, line);)
      if (line.starts_with("PPid:")) parent = std::stoi(line.substr(5));
    pid = parent;
  }
  return pids;
}

// Whether other processes may undo what the record says while the test runs. Threads end, memory without a file grows
// and is replaced, and control groups are removed.
bool may_change(const reader::Record& record) {
  auto in = record.reader();
  switch (record.header.type) {
    case RecordType::mmap2: {
      const auto mmap = reader::decode_mmap2(record).value();
      return mmap.path == "//anon" || (mmap.data && mmap.path.starts_with("["));
    }
    case RecordType::comm:
    case RecordType::namespaces: {
      const std::int32_t pid = in.i32();
      return in.i32() != pid;
    }
    case RecordType::fork: {
      const auto fork = reader::decode_task(record).value();
      return fork.pid != fork.tid;
    }
    case RecordType::cgroup: {
      const std::string root = cgroup_mount_point(test::content_of("/proc/self/mounts"));
      return !std::filesystem::exists(root + std::string(reader::decode_cgroup(record)->path));
    }
    default:
      return false;
  }
}

// The records that perf made up, which have no time.
std::set<std::string> made_up_by_perf(const PerfBeside& perf, const std::set<std::int32_t>& pids) {
  std::set<std::string> texts;
  perf.recording->visit_records([&](const reader::Record& record) {
    const auto type = record.header.type;
    if (type != RecordType::comm && type != RecordType::fork && type != RecordType::mmap2 && type != RecordType::mmap &&
        type != RecordType::namespaces && type != RecordType::cgroup)
      return;
    const auto id = decode_sample_id(record, perf.recording->events().front()->attr);
    if (id.time == 0 && pids.contains(pid_of(record)) && !may_change(record)) texts.insert(text_of_record(record));
  });
  return texts;
}

// Adds what runs now.
void add_texts(const SynthesisPlan& plan, std::set<std::string>& texts) {
  for (const Taken taken = synthesised(plan); const auto& record : taken.records())
    texts.insert(text_of_record(record));
}

TEST(SynthesisOfPerf, HasNothingThatOursLacks) {
  const auto pids = lasting_processes();
  SynthesisPlan plan;
  plan.all_processes = plan.data_mappings = plan.namespaces = plan.cgroups = true;
  plan.build_ids = false;
  std::set<std::string> ours;
  add_texts(plan, ours);
  const PerfBeside perf("-a -d --namespaces --all-cgroups --no-buildid -e cpu-clock -- true");
  if (!perf.recording) GTEST_SKIP() << perf.why_not;
  add_texts(plan, ours);
  const auto theirs = made_up_by_perf(perf, pids);
  EXPECT_GT(theirs.size(), pids.size());
  std::set<std::string> missing;
  std::ranges::set_difference(theirs, ours, std::inserter(missing, missing.end()));
  EXPECT_THAT(missing, ::testing::IsEmpty());
}

TEST(SynthesisOfPerf, HasTheBuildIdsOfOurs) {
  const auto pids = lasting_processes();
  SynthesisPlan plan;
  plan.all_processes = true;
  std::set<std::string> ours;
  add_texts(plan, ours);
  const PerfBeside perf("-a --buildid-mmap -e cpu-clock -- true");
  if (!perf.recording) GTEST_SKIP() << perf.why_not;
  add_texts(plan, ours);
  std::set<std::string> missing;
  for (const auto& text : made_up_by_perf(perf, pids)) {
    if (!ours.contains(text) && !text.ends_with("[vdso]")) missing.insert(text);  // perf has no id of the vDSO
  }
  EXPECT_THAT(missing, ::testing::IsEmpty());
}

}  // namespace
}  // namespace perfsift::record
