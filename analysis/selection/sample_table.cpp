// A thread's rows are sorted in slots, equal parts of the time. All threads of the computer count and distribute
// samples, each its part of the log, and then sort slots, which fit into the processor's cache.

#include "analysis/selection/sample_table.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "analysis/profile/ranked_stack.h"
#include "analysis/profile/time_span.h"
#include "base/share_work.h"

namespace perfsift::analysis {
namespace {

using Samples = std::span<const LoggedSample>;

// A sample on its way to its row.
struct Place {
  std::uint64_t time = 0;
  std::uint32_t sample = 0;  // index in the log
};

// Sorts the samples of a slot. Most slots have samples of few parts of the file, and each part has its samples in their
// order: a few runs, which are merged.
class TimeSorter {
 public:
  void sort(std::vector<Place>& places) {
    find_runs(places);
    scratch_.resize(places.size());
    if (ends_.size() > most_runs) return radix_sort(std::span(places), std::span(scratch_), &Place::time);
    while (ends_.size() > 1) {
      merge_neighbours(places);
      places.swap(scratch_);
    }
  }

 private:
  static constexpr std::size_t most_runs = 16;  // more take as many passes as a radix sort

  void find_runs(const std::vector<Place>& places) {
    ends_.clear();
    for (std::size_t i = 1; i < places.size(); ++i) {
      if (places[i].time < places[i - 1].time) ends_.push_back(i);
    }
    ends_.push_back(places.size());
  }

  // Into scratch_. The last run may have no neighbour.
  void merge_neighbours(const std::vector<Place>& places) {
    const auto at = [&](std::size_t end) { return places.begin() + static_cast<std::ptrdiff_t>(end); };
    auto to = scratch_.begin();
    std::size_t begin = 0, merged = 0;
    for (std::size_t i = 0; i < ends_.size(); i += 2) {
      const std::size_t middle = ends_[i], end = i + 1 < ends_.size() ? ends_[i + 1] : middle;
      to = std::ranges::merge(at(begin), at(middle), at(middle), at(end), to, {}, &Place::time, &Place::time).out;
      ends_[merged++] = begin = end;
    }
    ends_.resize(merged);
  }

  std::vector<std::size_t> ends_;  // of the runs
  std::vector<Place> scratch_;
};

// Samples of one time are in the order of their records, so that the order does not depend on the order of the log.
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

void insert(std::vector<std::int32_t>& cpus, std::int32_t cpu) {
  const auto place = std::ranges::lower_bound(cpus, cpu);
  if (place == cpus.end() || *place != cpu) cpus.insert(place, cpu);
}

}  // namespace

// What is known about a part of the log, or about the whole log.
struct SampleTable::Survey {
  std::vector<std::uint32_t> of_thread;  // numbers of samples
  TimeSpan times;
  std::vector<std::int32_t> cpus;  // ascending
  Amount amount;
  bool one_event = true, one_value = true;

  void add(Samples samples, const LoggedSample& first, const std::vector<std::uint32_t>& thread_of) {
    for (const LoggedSample& sample : samples) {
      ++of_thread[thread_of[sample.context]];
      times.add(sample.time);
      if (cpus.empty() || sample.cpu != last_cpu_) insert(cpus, last_cpu_ = sample.cpu);
      amount += {.samples = 1, .value = sample.value};
      one_event &= sample.event == first.event;
      one_value &= sample.value == first.value;
    }
  }
  void add(const Survey& other) {
    for (std::size_t i = 0; i < of_thread.size(); ++i) of_thread[i] += other.of_thread[i];
    times.add(other.times);
    for (const std::int32_t cpu : other.cpus) insert(cpus, cpu);
    amount += other.amount;
    one_event &= other.one_event;
    one_value &= other.one_value;
  }

 private:
  std::int32_t last_cpu_ = 0;
};

// The slots of all threads, behind each other. The last slot of a thread is for samples without a time.
struct SampleTable::Slots {
  static constexpr std::uint32_t samples_of_slot = 4096;

  struct OfThread {
    std::size_t first = 0;  // slot
    std::size_t timed = 0;  // number of slots
    double per_nanosecond = 0;
  };

  explicit Slots(const SampleTable& table) : first_time(table.first_time_) {
    const double duration = static_cast<double>(table.last_time_ - table.first_time_) + 1;
    for (const Thread& thread : table.threads_) {
      const std::size_t timed = 1 + (thread.end - thread.begin) / samples_of_slot;
      threads.push_back({.first = count, .timed = timed, .per_nanosecond = static_cast<double>(timed) / duration});
      count += timed + 1;
    }
  }
  // Later times have the same slot, or a later one.
  std::size_t of(std::uint32_t thread, std::uint64_t time) const {
    const OfThread& slots = threads[thread];
    if (time == reader::no_time) return slots.first + slots.timed;
    const double place = static_cast<double>(time - first_time) * slots.per_nanosecond;
    return slots.first + std::min(static_cast<std::size_t>(place), slots.timed - 1);
  }

  const std::uint64_t first_time;
  std::vector<OfThread> threads;
  std::size_t count = 0;
  std::vector<std::uint32_t> begins;  // rows, by slot, and the number of all rows
};

SampleTable::SampleTable(const SampleLog& log, const LeafTable& leaves, unsigned threads)
    : leaves_(&leaves), samples_(log.samples()), sums_(log.amounts()), order_(samples_.size()) {
  find_threads(log);
  survey(threads);
  Slots slots(*this);
  fill_slots(slots, threads);
  sort_slots(slots, threads);
  for (Thread& thread : threads_) {
    if (thread.begin != thread.end) thread.comm = log.contexts()[(*this)[thread.end - 1].context].comm;
  }
  take_sums(log);
}

void SampleTable::take_sums(const SampleLog& log) {
  for (const LoggedAmount& sum : sums_) {
    insert(cpus_, sum.cpu);
    Thread& thread = threads_[thread_of(sum)];
    if (thread.begin == thread.end) thread.comm = log.contexts()[sum.context].comm;
  }
}

// Numbers the threads.
void SampleTable::find_threads(const SampleLog& log) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::uint32_t> known;  // pid and tid
  for (const SampleContext& context : log.contexts()) known.try_emplace({context.pid, context.tid}, 0);
  for (auto& [ids, number] : known) {
    number = static_cast<std::uint32_t>(threads_.size());
    threads_.push_back({.pid = ids.first, .tid = ids.second, .comm = {}});
  }
  for (const SampleContext& context : log.contexts()) thread_of_.push_back(known.at({context.pid, context.tid}));
}

void SampleTable::survey(unsigned threads) {
  std::vector<Survey> parts(threads);
  for (Survey& part : parts) part.of_thread.resize(threads_.size());
  for_each_part(threads, samples_.size(), [&](std::size_t part, std::size_t begin, std::size_t end) {
    if (begin == end) return;
    Survey found = std::move(parts[part]);
    found.add(samples_.subspan(begin, end - begin), samples_.front(), thread_of_);
    parts[part] = std::move(found);
  });
  for (std::size_t part = 1; part < parts.size(); ++part) parts.front().add(parts[part]);
  take(parts.front());
}

void SampleTable::take(const Survey& all) {
  std::uint32_t row = 0;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    threads_[i].begin = row;
    threads_[i].end = row += all.of_thread[i];
  }
  cpus_ = all.cpus;
  if (!all.times.empty()) first_time_ = all.times.first, last_time_ = all.times.last;
  amount_ = all.amount;
  if (samples_.empty()) return;
  if (all.one_event) only_event_ = samples_.front().event;
  if (all.one_value) only_value_ = samples_.front().value;
}

// Puts the samples of each slot into its rows, in the order of the log.
void SampleTable::fill_slots(Slots& slots, unsigned threads) {
  // By part and slot: first the number of samples, then the next row.
  std::vector<std::vector<std::uint32_t>> rows(threads);
  const auto slot_of = [&](const LoggedSample& sample) { return slots.of(thread_of_[sample.context], sample.time); };
  for_each_part(threads, samples_.size(), [&](std::size_t part, std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> counts(slots.count);
    for (std::size_t i = begin; i < end; ++i) ++counts[slot_of(samples_[i])];
    rows[part] = std::move(counts);
  });
  std::uint32_t next = 0;
  for (std::size_t slot = 0; slot < slots.count; ++slot) {
    slots.begins.push_back(next);
    for (std::vector<std::uint32_t>& of_part : rows) next += std::exchange(of_part[slot], next);
  }
  slots.begins.push_back(next);
  for_each_part(threads, samples_.size(), [&](std::size_t part, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      order_[rows[part][slot_of(samples_[i])]++] = static_cast<std::uint32_t>(i);
  });
  for (std::size_t i = 0; i < threads_.size(); ++i)
    threads_[i].timed_end = slots.begins[slots.threads[i].first + slots.threads[i].timed];
}

void SampleTable::sort_slots(const Slots& slots, unsigned threads) {
  share_work(threads, slots.count, [&](unsigned, Tasks& tasks) {
    std::vector<Place> places;
    TimeSorter sorter;
    while (const auto slot = tasks.next()) {
      const std::span<std::uint32_t> rows =
          std::span(order_).subspan(slots.begins[*slot], slots.begins[*slot + 1] - slots.begins[*slot]);
      if (rows.empty()) continue;
      places.clear();
      for (const std::uint32_t sample : rows) places.push_back({.time = samples_[sample].time, .sample = sample});
      sorter.sort(places);
      order_equal_times(places, samples_);
      std::ranges::transform(places, rows.begin(), &Place::sample);
    }
  });
}

}  // namespace perfsift::analysis
