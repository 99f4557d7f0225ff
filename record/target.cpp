#include "record/target.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include "base/error.h"
#include "record/machine/online_cpus.h"

namespace perfsift::record {

namespace {

std::vector<std::int32_t> threads_of(std::int32_t process, const KernelRoots& folders) {
  const auto tids = numbered_in(fmt::format("{}/{}/task", folders.proc, process), "");
  return {tids.begin(), tids.end()};
}

// thread_map__new_by_uid() in tools/perf/util/thread_map.c: the owner of the folder is the effective user.
bool belongs_to(std::int32_t process, std::uint32_t user, const KernelRoots& folders) {
  struct stat status {};
  return stat(fmt::format("{}/{}", folders.proc, process).c_str(), &status) == 0 && status.st_uid == user;
}

void add(std::vector<std::int32_t>& all, const std::vector<std::int32_t>& some) {
  all.insert(all.end(), some.begin(), some.end());
}

void add_threads_of_user(std::vector<std::int32_t>& tids, std::uint32_t user, const KernelRoots& folders) {
  for (const std::int32_t process : numbered_in(folders.proc, "")) {
    if (belongs_to(process, user, folders)) add(tids, threads_of(process, folders));
  }
  if (tids.empty()) throw UsageError(fmt::format("user {} has no process", user));
}

std::vector<std::int32_t> threads_of(const Target& target, std::optional<std::int32_t> command,
                                     const KernelRoots& folders) {
  if (target.on_cpus()) return {-1};
  std::vector<std::int32_t> tids = target.threads;
  for (const std::int32_t process : target.processes) {
    const std::vector<std::int32_t> threads = threads_of(process, folders);
    if (threads.empty()) throw UsageError(fmt::format("process {} does not exist", process));
    add(tids, threads);
  }
  if (target.user) add_threads_of_user(tids, *target.user, folders);
  if (command && !target.names_threads()) tids.push_back(*command);
  std::ranges::sort(tids);
  tids.erase(std::unique(tids.begin(), tids.end()), tids.end());
  return tids;
}

std::vector<std::int32_t> cpus_of(const Target& target, const KernelRoots& folders) {
  if (target.per_thread && !target.on_cpus()) return {-1};
  const std::vector<unsigned> online = online_cpus(folders);
  std::vector<unsigned> wanted = target.cpus.empty() ? online : target.cpus;
  std::ranges::sort(wanted);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  for (const unsigned cpu : wanted) {
    if (std::ranges::find(online, cpu) != online.end()) continue;
    throw UsageError(fmt::format("CPU {} is not online; these CPUs are: {}", cpu, fmt::join(online, ",")));
  }
  return {wanted.begin(), wanted.end()};
}

}  // namespace

std::vector<unsigned> offline_cpus(const std::vector<Place>& places, const KernelRoots& folders) {
  std::set<unsigned> cpus;
  for (const Place& place : places) {
    if (place.cpu >= 0) cpus.insert(static_cast<unsigned>(place.cpu));
  }
  if (cpus.empty()) return {};
  for (const unsigned cpu : online_cpus(folders)) cpus.erase(cpu);
  return {cpus.begin(), cpus.end()};
}

std::vector<Place> places_of(const Target& target, std::optional<std::int32_t> command, const KernelRoots& folders) {
  std::vector<Place> places;
  const std::vector<std::int32_t> tids = threads_of(target, command, folders);
  for (const std::int32_t cpu : cpus_of(target, folders)) {
    for (const std::int32_t tid : tids) places.push_back({tid, cpu});
  }
  return places;
}

}  // namespace perfsift::record
