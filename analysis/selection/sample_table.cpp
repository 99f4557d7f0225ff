#include "analysis/selection/sample_table.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "analysis/profile/ranked_stack.h"
#include "base/share_work.h"

namespace perfsift::analysis {

// A sample on its way to its row.
struct SampleTable::Place {
  std::uint64_t time = 0;
  std::uint32_t sample = 0;  // index in the log
};

namespace {

using Samples = std::span<const LoggedSample>;

// How samples are distributed over threads of the computer: by their place in the log.
struct Range {
  std::size_t begin = 0, end = 0;
};
std::vector<Range> ranges_of(std::size_t count, unsigned ranges) {
  std::vector<Range> all;
  for (std::size_t i = 0; i < ranges; ++i)
    all.push_back({.begin = count * i / ranges, .end = count * (i + 1) / ranges});
  return all;
}

// Samples of one time are in the order of their records, so that the order does not depend on the order of the log.
template <typename Place>
void order_equal_times(std::span<Place> places, Samples samples) {
  const auto in_file = [&](const Place& a, const Place& b) {
    const LoggedSample &first = samples[a.sample], &second = samples[b.sample];
    return std::tuple(first.position, first.event) < std::tuple(second.position, second.event);
  };
  for (auto first = places.begin(); first != places.end();) {
    const auto end = std::find_if(first, places.end(), [&](const Place& place) { return place.time != first->time; });
    if (end - first > 1) std::stable_sort(first, end, in_file);
    first = end;
  }
}

// The log has a few runs of a thread that are in order, one for each thread that read the recording, if the thread
// stayed on its CPU.
template <typename Place>
void sort_by_time(std::span<Place> places) {
  constexpr std::size_t few = 8;
  const auto later = [](const Place& a, const Place& b) { return a.time > b.time; };
  std::vector<typename std::span<Place>::iterator> ends;
  for (auto at = places.begin(); at != places.end() && ends.size() < few;) {
    at = std::adjacent_find(at, places.end(), later);
    if (at != places.end()) ++at;
    ends.push_back(at);
  }
  if (ends.empty()) return;
  if (ends.back() != places.end()) {
    UnsetVector<Place> scratch(places.size());
    return radix_sort(places, std::span(scratch), &Place::time);
  }
  for (std::size_t i = 1; i < ends.size(); ++i)
    std::inplace_merge(places.begin(), ends[i - 1], ends[i],
                       [&](const Place& a, const Place& b) { return later(b, a); });
}

}  // namespace

SampleTable::SampleTable(const SampleLog& log, const LeafTable& leaves, unsigned threads) : leaves_(&leaves) {
  UnsetVector<Place> places = places_by_thread(log, threads);
  for_each_task(threads, threads_.size(), [&](std::size_t i) { sort(threads_[i], places, log.samples()); });
  find_times(places);
  find_cpus(log);
  fill(log, places, threads);
  for (Thread& thread : threads_) {
    if (thread.begin != thread.end)
      thread.comm = log.contexts()[log.samples()[places[thread.end - 1].sample].context].comm;
  }
}

// Numbers the threads. Gives the thread of each context of the log.
std::vector<std::uint32_t> SampleTable::find_threads(const SampleLog& log) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::uint32_t> known;  // pid and tid
  for (const SampleContext& context : log.contexts()) known.try_emplace({context.pid, context.tid}, 0);
  for (auto& [ids, number] : known) {
    number = static_cast<std::uint32_t>(threads_.size());
    threads_.push_back({.pid = ids.first, .tid = ids.second, .comm = {}});
  }
  std::vector<std::uint32_t> thread_of;
  for (const SampleContext& context : log.contexts()) thread_of.push_back(known.at({context.pid, context.tid}));
  return thread_of;
}

// The samples of each thread, in the order of the log, in the rows of the thread.
UnsetVector<SampleTable::Place> SampleTable::places_by_thread(const SampleLog& log, unsigned threads) {
  const Samples samples = log.samples();
  const std::vector<std::uint32_t> thread_of = find_threads(log);
  const std::vector<Range> ranges = ranges_of(samples.size(), threads);
  // By range and thread: first the number of samples, then the next row.
  std::vector<std::vector<std::uint32_t>> rows(ranges.size(), std::vector<std::uint32_t>(threads_.size()));
  for_each_task(threads, ranges.size(), [&](std::size_t range) {
    for (std::size_t i = ranges[range].begin; i < ranges[range].end; ++i) ++rows[range][thread_of[samples[i].context]];
  });
  std::uint32_t next = 0;
  for (std::size_t thread = 0; thread < threads_.size(); ++thread) {
    threads_[thread].begin = next;
    for (std::vector<std::uint32_t>& of_range : rows) next += std::exchange(of_range[thread], next);
    threads_[thread].end = next;
  }
  UnsetVector<Place> places(samples.size());
  for_each_task(threads, ranges.size(), [&](std::size_t range) {
    for (std::size_t i = ranges[range].begin; i < ranges[range].end; ++i) {
      places[rows[range][thread_of[samples[i].context]]++] = {.time = samples[i].time,
                                                              .sample = static_cast<std::uint32_t>(i)};
    }
  });
  return places;
}

void SampleTable::sort(Thread& thread, std::span<Place> all, std::span<const LoggedSample> samples) {
  const std::span<Place> places = all.subspan(thread.begin, thread.end - thread.begin);
  sort_by_time(places);
  order_equal_times(places, samples);
  const auto timed = std::ranges::lower_bound(places, reader::no_time, {}, &Place::time);
  thread.timed_end = thread.begin + static_cast<std::uint32_t>(timed - places.begin());
}

void SampleTable::find_times(std::span<const Place> places) {
  std::uint64_t first = reader::no_time;
  for (const Thread& thread : threads_) {
    if (thread.begin == thread.timed_end) continue;
    first = std::min(first, places[thread.begin].time);
    last_time_ = std::max(last_time_, places[thread.timed_end - 1].time);
  }
  if (first != reader::no_time) first_time_ = first;
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

void SampleTable::fill(const SampleLog& log, std::span<const Place> places, unsigned threads) {
  const Samples samples = log.samples();
  times.resize(samples.size());
  values.resize(samples.size());
  positions.resize(samples.size());
  leaf_ids.resize(samples.size());
  cpu_numbers.resize(samples.size());
  events.resize(samples.size());
  const std::vector<Range> ranges = ranges_of(samples.size(), threads);
  for_each_task(threads, ranges.size(), [&](std::size_t range) {
    std::uint32_t cpu = 0;
    for (std::size_t row = ranges[range].begin; row < ranges[range].end; ++row) {
      const LoggedSample& sample = samples[places[row].sample];
      times[row] = sample.time;
      values[row] = sample.value;
      positions[row] = sample.position;
      leaf_ids[row] = leaves_->of_stack(sample.stack);
      if (cpus_[cpu] != sample.cpu)
        cpu = static_cast<std::uint32_t>(std::ranges::lower_bound(cpus_, sample.cpu) - cpus_.begin());
      cpu_numbers[row] = cpu;
      events[row] = sample.event;
    }
  });
}

}  // namespace perfsift::analysis
