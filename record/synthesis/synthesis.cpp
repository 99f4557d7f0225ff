#include "record/synthesis/synthesis.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <set>

#include <sys/utsname.h>

#include "base/share_work.h"
#include "base/whole_file.h"
#include "record/machine/mounts.h"
#include "record/synthesis/bpf_programs.h"
#include "record/synthesis/cgroup_records.h"
#include "record/synthesis/kernel_records.h"
#include "record/synthesis/process_records.h"

namespace perfsift::record {

namespace {

using Take = std::function<void(Bytes records)>;

std::string modules_folder() {
  utsname system{};
  return uname(&system) == 0 ? std::string("/lib/modules/") + system.release : std::string();
}

void take_if_any(const std::vector<std::byte>& records, const Take& take) {
  if (!records.empty()) take(records);
}

void synthesise_kernel(const SynthesisPlan& plan, const reader::Encoding& encoding, const Take& take) {
  take_if_any(kernel_records(plan.roots, modules_folder(), plan.build_ids, encoding), take);
  take_if_any(bpf_records(loaded_bpf_programs(), plan.roots.proc + "/kallsyms", encoding), take);
}

// Processes that run now, or the processes of the threads that the plan names, each once.
std::vector<std::int32_t> processes_of(const SynthesisPlan& plan) {
  std::set<std::int32_t> pids;
  if (plan.all_processes) {
    for (const std::uint32_t pid : numbered_in(plan.roots.proc, "")) pids.insert(static_cast<std::int32_t>(pid));
  }
  for (const std::int32_t tid : plan.processes) {
    if (const auto pid = process_of(plan.roots, tid)) pids.insert(*pid);
  }
  return {pids.begin(), pids.end()};
}

SynthesisCounts sum(const std::vector<std::unique_ptr<ProcessRecords>>& workers) {
  SynthesisCounts all;
  for (const auto& worker : workers) {
    if (!worker) continue;
    const SynthesisCounts& counts = worker->counts();
    all.processes += counts.processes;
    all.threads += counts.threads;
    all.mappings += counts.mappings;
    all.cut_processes += counts.cut_processes;
  }
  return all;
}

SynthesisCounts synthesise_processes(const ProcessSources& sources, const Take& take) {
  constexpr std::size_t enough = 1 << 16;  // bytes for one call of take()
  const auto pids = processes_of(sources.plan);
  const auto threads = static_cast<unsigned>(std::clamp<std::size_t>(sources.plan.threads, 1, pids.size() + 1));
  std::vector<std::unique_ptr<ProcessRecords>> workers(threads);
  std::mutex one_at_a_time;
  const auto hand_over = [&](ProcessRecords& worker) {
    const std::lock_guard lock(one_at_a_time);
    take_if_any(worker.records(), take);
    worker.clear();
  };
  share_work(threads, pids.size(), [&](unsigned number, Tasks& tasks) {
    auto& worker = *(workers[number] = std::make_unique<ProcessRecords>(sources));
    while (const auto task = tasks.next()) {
      worker.add(pids[*task]);
      if (worker.records().size() >= enough) hand_over(worker);
    }
    hand_over(worker);
  });
  return sum(workers);
}

}  // namespace

SynthesisCounts synthesise(const SynthesisPlan& plan, const Take& take) {
  const reader::Encoding encoding{.order = ByteOrder::native, .trailer = reader::Trailer::zeros(plan.sample_type)};
  const std::string mounts = read_whole_file(plan.roots.proc + "/self/mounts").value_or("");
  if (plan.kernel) synthesise_kernel(plan, encoding, take);
  if (plan.cgroups) {
    const std::string root = plan.cgroup_root.empty() ? cgroup_mount_point(mounts) : plan.cgroup_root;
    if (!root.empty()) take_if_any(cgroup_records(root, encoding), take);
  }
  MappedFiles files;
  return synthesise_processes({.plan = plan, .files = files, .huge_pages = mount_point(mounts, "hugetlbfs")}, take);
}

}  // namespace perfsift::record
