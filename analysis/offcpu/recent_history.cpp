#include "analysis/offcpu/recent_history.h"

#include <algorithm>
#include <functional>
#include <map>

namespace perfsift::offcpu {

void RecentHistory::slice(const Slice& slice) {
  if (slice.cpu < 0) return;
  const auto cpu = static_cast<std::size_t>(slice.cpu);
  if (slices_.size() <= cpu) slices_.resize(cpu + 1);
  slices_[cpu].push_back(slice);
  if (slices_[cpu].size() > most_slices) slices_[cpu].pop_front();
}

void RecentHistory::sample(const OtherSample& sample) {
  samples_.push_back(sample);
  if (samples_.size() > most_samples) samples_.pop_front();
}

std::vector<RecentHistory::Ran> RecentHistory::ran(std::int32_t cpu, std::uint64_t start, std::uint64_t end) const {
  std::map<ThreadNumber, std::uint64_t> times;
  if (cpu >= 0 && static_cast<std::size_t>(cpu) < slices_.size()) {
    const auto& slices = slices_[static_cast<std::size_t>(cpu)];
    for (auto slice = slices.rbegin(); slice != slices.rend() && slice->end > start; ++slice) {
      const std::uint64_t from = std::max(slice->start, start), until = std::min(slice->end, end);
      if (from < until) times[slice->thread] += until - from;
    }
  }
  std::vector<Ran> ran;
  for (const auto& [thread, time] : times) ran.push_back({.thread = thread, .time = time});
  std::ranges::stable_sort(ran, std::greater{}, &Ran::time);
  return ran;
}

std::vector<OtherSample> RecentHistory::samples(std::int32_t cpu, std::int32_t tid, std::uint64_t start,
                                                std::uint64_t end) const {
  std::vector<OtherSample> found;
  for (auto sample = samples_.rbegin(); sample != samples_.rend() && sample->time >= start; ++sample) {
    if (sample->time <= end && (sample->tid == tid || (cpu >= 0 && sample->cpu == cpu))) found.push_back(*sample);
  }
  std::ranges::reverse(found);
  return found;
}

}  // namespace perfsift::offcpu
