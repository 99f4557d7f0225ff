#include "analysis/selection/sample_table.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace perfsift::analysis {

SampleTable::SampleTable(const SampleLog& log, const LeafTable& leaves) : leaves_(&leaves) {
  const std::vector<std::uint32_t> thread_of = find_threads(log);
  find_cpus(log);
  find_times(log);

  const std::size_t size = log.samples().size();
  times.resize(size);
  values.resize(size);
  positions.resize(size);
  leaf_ids.resize(size);
  cpu_numbers.resize(size);
  events.resize(size);
  std::unordered_map<std::int32_t, std::uint32_t> cpu_of;
  for (std::size_t i = 0; i < cpus_.size(); ++i) cpu_of[cpus_[i]] = static_cast<std::uint32_t>(i);
  std::vector<std::uint32_t> last_context(threads_.size());
  for (const LoggedSample& sample : log.samples()) {
    Thread& thread = threads_[thread_of[sample.context]];
    const std::uint32_t row = thread.end++;
    if (sample.time != reader::no_time) thread.timed_end = thread.end;
    last_context[thread_of[sample.context]] = sample.context;
    times[row] = sample.time;
    values[row] = sample.value;
    positions[row] = sample.position;
    leaf_ids[row] = leaves.of_stack(sample.stack);
    cpu_numbers[row] = cpu_of[sample.cpu];
    events[row] = sample.event;
  }
  for (std::size_t i = 0; i < threads_.size(); ++i) threads_[i].comm = log.contexts()[last_context[i]].comm;
}

// Leaves the rows of threads empty, each beginning where it will begin.
std::vector<std::uint32_t> SampleTable::find_threads(const SampleLog& log) {
  std::vector<std::uint32_t> samples(log.contexts().size());
  for (const LoggedSample& sample : log.samples()) ++samples[sample.context];
  std::map<std::pair<std::int32_t, std::int32_t>, std::uint32_t> known;  // pid and tid
  for (const SampleContext& context : log.contexts()) known.try_emplace({context.pid, context.tid}, 0);
  for (auto& [ids, number] : known) {
    number = static_cast<std::uint32_t>(threads_.size());
    threads_.push_back({.pid = ids.first, .tid = ids.second, .comm = {}});
  }
  std::vector<std::uint32_t> thread_of;
  std::vector<std::uint32_t> rows(threads_.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    thread_of.push_back(known.at({log.contexts()[i].pid, log.contexts()[i].tid}));
    rows[thread_of.back()] += samples[i];
  }
  std::uint32_t begin = 0;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    threads_[i].begin = threads_[i].timed_end = threads_[i].end = begin;
    begin += rows[i];
  }
  return thread_of;
}

void SampleTable::find_cpus(const SampleLog& log) {
  std::int32_t last = 0;
  for (const LoggedSample& sample : log.samples()) {
    if (!cpus_.empty() && sample.cpu == last) continue;
    last = sample.cpu;
    const auto place = std::ranges::lower_bound(cpus_, last);
    if (place == cpus_.end() || *place != last) cpus_.insert(place, last);
  }
}

void SampleTable::find_times(const SampleLog& log) {
  const auto samples = log.samples();
  const auto timed =
      std::ranges::partition_point(samples, [](const LoggedSample& sample) { return sample.time != reader::no_time; });
  if (timed == samples.begin()) return;
  first_time_ = samples.front().time;
  last_time_ = std::prev(timed)->time;
}

}  // namespace perfsift::analysis
