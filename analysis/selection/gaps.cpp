#include "analysis/selection/gaps.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace perfsift::analysis {
namespace {

using Times = std::vector<std::uint64_t>;

// The times of all samples of some CPUs, in order. -1 stands for all CPUs.
void add_times(const SampleIndex& table, std::map<std::int32_t, Times>& of_cpu) {
  for (std::uint32_t row = 0; row < table.size(); ++row) {
    const SampleRow& sample = table[row];
    if (sample.time == reader::no_time) continue;
    for (const std::int32_t cpu : {sample.cpu, -1}) {
      const auto wanted = of_cpu.find(cpu);
      if (wanted != of_cpu.end()) wanted->second.push_back(sample.time);
      if (cpu == -1) break;
    }
  }
  for (auto& [cpu, times] : of_cpu) std::ranges::sort(times);
}

}  // namespace

std::vector<Gap> find_gaps(std::span<const reader::LostAt> lost, std::span<const reader::ThrottleWindow> throttled,
                           const SampleIndex& table) {
  std::map<std::int32_t, Times> times_of_cpu;
  for (const reader::LostAt& loss : lost) times_of_cpu[loss.cpu];
  if (!times_of_cpu.empty()) add_times(table, times_of_cpu);

  std::vector<Gap> gaps;
  for (const reader::LostAt& loss : lost) {
    if (loss.time == reader::no_time) continue;
    const Times& times = times_of_cpu[loss.cpu];
    const auto next = std::ranges::lower_bound(times, loss.time);
    gaps.push_back({.kind = loss.samples != 0 ? Gap::Kind::lost_samples : Gap::Kind::lost_records,
                    .cpu = loss.cpu,
                    .from = next != times.begin() ? *std::prev(next) : std::min(table.first_time(), loss.time),
                    .until = loss.time,
                    .count = loss.samples != 0 ? loss.samples : loss.records});
  }
  for (const reader::ThrottleWindow& window : throttled) {
    const std::uint64_t until = window.until != reader::no_time ? window.until : table.last_time();
    gaps.push_back(
        {.kind = Gap::Kind::throttled, .cpu = window.cpu, .from = window.from, .until = std::max(window.from, until)});
  }
  std::ranges::stable_sort(gaps, {}, [](const Gap& gap) { return std::tuple(gap.from, gap.until, gap.cpu); });
  return gaps;
}

}  // namespace perfsift::analysis
