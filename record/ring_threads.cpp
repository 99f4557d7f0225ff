#include "record/ring_threads.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "record/machine/number_text.h"
#include "record/machine/online_cpus.h"
#include "record/machine/topology.h"

namespace perfsift::record {
namespace {

bool has(const std::vector<unsigned>& list, unsigned cpu) { return std::ranges::find(list, cpu) != list.end(); }

std::vector<unsigned> recorded_of(std::vector<unsigned> cpus, const std::vector<unsigned>& recorded) {
  std::erase_if(cpus, [&](unsigned cpu) { return !has(recorded, cpu); });
  std::ranges::sort(cpus);
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  return cpus;
}

// The CPUs of each core, package or node. Nothing: `spec` is no such word.
std::optional<std::vector<std::string>> named_masks(std::string_view spec, const std::vector<unsigned>& recorded,
                                                    const KernelRoots& folders) {
  std::vector<std::string> masks;
  if (spec == "cpu") {
    for (const unsigned cpu : recorded) masks.push_back(fmt::format("{}", cpu));
  } else if (spec == "core") {
    if (const auto topology = cpu_topology(folders)) masks = topology->thread_siblings;
  } else if (spec == "package") {
    if (const auto topology = cpu_topology(folders)) masks = topology->core_siblings;
  } else if (spec == "numa") {
    for (const reader::NumaNode& node : numa_nodes(folders)) masks.push_back(node.cpus);
  } else {
    return std::nullopt;
  }
  return masks;
}

// A core may have none of the recorded CPUs. A machine that does not say what its cores are has one thread.
std::vector<RingThread> threads_of(const std::vector<std::string>& masks, const std::vector<unsigned>& recorded) {
  std::vector<RingThread> threads;
  std::set<unsigned> left(recorded.begin(), recorded.end());
  for (const std::string& mask : masks) {
    std::vector<unsigned> cpus = recorded_of(read_number_list(mask).value_or(std::vector<unsigned>()), recorded);
    std::erase_if(cpus, [&](unsigned cpu) { return left.erase(cpu) == 0; });
    if (!cpus.empty()) threads.push_back({.cpus = cpus, .affinity = cpus});
  }
  const std::vector<unsigned> others(left.begin(), left.end());
  if (!others.empty()) threads.push_back({.cpus = others, .affinity = others});
  return threads;
}

// Reads the masks of one kind, and sees that they differ: record__init_thread_masks_spec().
class Masks {
 public:
  Masks(std::string_view kind, const std::vector<unsigned>& recorded) : kind_(kind), recorded_(recorded) {}

  std::vector<unsigned> take(std::string_view text) {
    const auto listed = read_number_list(text);
    if (!listed || text.empty())
      throw UsageError(
          fmt::format("--threads: '{}' is no list of CPUs such as 0,2-4; a thread is CPUS/AFFINITY, or "
                      "all are cpu, core, package or numa",
                      text));
    std::vector<unsigned> cpus = recorded_of(*listed, recorded_);
    if (cpus.empty()) throw UsageError(fmt::format("--threads: {} {}: none of these CPUs is recorded", kind_, text));
    for (const unsigned cpu : cpus) {
      if (!seen_.insert(cpu).second) throw UsageError(fmt::format("--threads: CPU {} is in two {} masks", cpu, kind_));
    }
    return cpus;
  }

  const std::set<unsigned>& seen() const { return seen_; }

 private:
  const std::string_view kind_;
  const std::vector<unsigned>& recorded_;
  std::set<unsigned> seen_;
};

std::vector<RingThread> user_threads(std::string_view spec, const std::vector<unsigned>& recorded) {
  Masks cpus("CPU", recorded), affinities("affinity", recorded);
  std::vector<RingThread> threads;
  while (!spec.empty()) {
    const std::string_view one = spec.substr(0, spec.find(':'));
    spec.remove_prefix(std::min(one.size() + 1, spec.size()));
    const std::size_t slash = std::min(one.find('/'), one.size());
    threads.push_back({.cpus = cpus.take(one.substr(0, slash)),
                       .affinity = affinities.take(one.substr(std::min(slash + 1, one.size())))});
  }
  std::vector<unsigned> unread = recorded;
  std::erase_if(unread, [&](unsigned cpu) { return cpus.seen().contains(cpu); });
  if (!unread.empty())
    throw UsageError(fmt::format("--threads: no thread reads CPU {}; -C {} records the others only",
                                 fmt::join(unread, ","), fmt::join(cpus.seen(), ",")));
  return threads;
}

}  // namespace

std::vector<unsigned> sampled_cpus(const Target& target, const KernelRoots& folders) {
  return target.cpus.empty() ? online_cpus(folders) : recorded_of(target.cpus, target.cpus);
}

std::vector<RingThread> ring_threads(std::string_view spec, const std::vector<unsigned>& recorded,
                                     const KernelRoots& folders) {
  const auto masks = named_masks(spec, recorded, folders);
  return masks ? threads_of(*masks, recorded) : user_threads(spec, recorded);
}

}  // namespace perfsift::record
