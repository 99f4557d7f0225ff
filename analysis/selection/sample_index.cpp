// A thread's rows are sorted in slots, equal parts of the time. All threads of this process count and distribute
// samples, each in its part of the table. Then they sort slots, which fit into the processor's cache.

#include "analysis/selection/sample_index.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "analysis/profile/ranked_stack.h"
#include "base/share_work.h"

namespace perfsift::analysis {

// Sorts the rows of a slot. Most slots have samples of few parts of the file, and the samples of a part are in order.
// So a slot is a few sorted runs, which are merged.
class SampleIndex::TimeSorter {
 public:
  void sort(std::span<Row> rows) {
    find_runs(rows);
    scratch_.resize(rows.size());
    if (ends_.size() > most_runs) return radix_sort(rows, std::span(scratch_), &Row::time);
    std::span<Row> from = rows, to = scratch_;
    for (; ends_.size() > 1; std::swap(from, to)) merge_neighbours(from, to);
    if (from.data() != rows.data()) std::ranges::copy(from, rows.begin());
  }

 private:
  static constexpr std::size_t most_runs = 16;  // more runs take as many passes as a radix sort

  void find_runs(std::span<const Row> rows) {
    ends_.clear();
    for (std::size_t i = 1; i < rows.size(); ++i) {
      if (rows[i].time < rows[i - 1].time) ends_.push_back(i);
    }
    ends_.push_back(rows.size());
  }

  // The last run may have no neighbour.
  void merge_neighbours(std::span<const Row> from, std::span<Row> to) {
    const auto at = [&](std::size_t end) { return from.begin() + static_cast<std::ptrdiff_t>(end); };
    auto next = to.begin();
    std::size_t begin = 0, merged = 0;
    for (std::size_t i = 0; i < ends_.size(); i += 2) {
      const std::size_t middle = ends_[i], end = i + 1 < ends_.size() ? ends_[i + 1] : middle;
      next = std::ranges::merge(at(begin), at(middle), at(middle), at(end), next, {}, &Row::time, &Row::time).out;
      ends_[merged++] = begin = end;
    }
    ends_.resize(merged);
  }

  std::vector<std::size_t> ends_;  // the ends of the runs
  std::vector<Row> scratch_;
};

// The slots of all threads, one after the other. The last slot of a thread is for samples without a time.
struct SampleIndex::Slots {
  static constexpr std::uint32_t samples_of_slot = 4096;

  struct OfThread {
    std::size_t first = 0;  // the number of the first slot
    std::size_t timed = 0;  // number of slots
    double per_nanosecond = 0;
  };

  explicit Slots(const SampleIndex& index) : first_time(index.first_time_) {
    const double duration = static_cast<double>(index.last_time_ - index.first_time_) + 1;
    for (const Thread& thread : index.threads_) {
      const std::size_t timed = 1 + (thread.end - thread.begin) / samples_of_slot;
      threads.push_back({.first = count, .timed = timed, .per_nanosecond = static_cast<double>(timed) / duration});
      count += timed + 1;
    }
  }
  // The slot of a time. A later time has the same slot or a later slot.
  std::size_t of(std::uint32_t thread, std::uint64_t time) const {
    const OfThread& slots = threads[thread];
    if (time == reader::no_time) return slots.first + slots.timed;
    const double place = static_cast<double>(time - first_time) * slots.per_nanosecond;
    return slots.first + std::min(static_cast<std::size_t>(place), slots.timed - 1);
  }

  const std::uint64_t first_time;
  std::vector<OfThread> threads;
  std::size_t count = 0;
  std::vector<std::uint32_t> begins;  // by slot: its first row; at the end the number of all rows
};

SampleIndex::SampleIndex(const SampleTable& table, const LeafTable& leaves, unsigned threads)
    : leaves_(&leaves),
      samples_(table.samples()),
      sums_(table.sums()),
      rows_(samples_.size()),
      cpus_(table.summary().cpus()),
      amount_(table.summary().amount()),
      only_event_(table.summary().only_event()),
      only_value_(table.summary().only_value()) {
  const TimeSpan& times = table.summary().times();
  if (!times.empty()) first_time_ = times.first, last_time_ = times.last;
  find_threads(table);
  find_cgroups(table);
  Slots slots(*this);
  fill_slots(slots, threads);
  sort_slots(slots, threads);
  for (Thread& thread : threads_) {
    if (thread.begin != thread.end) thread.comm = table.contexts()[(*this)[thread.end - 1].context].comm;
  }
  take_sums(table);
}

void SampleIndex::take_sums(const SampleTable& table) {
  for (const SumRow& sum : sums_) {
    if (sum.context == SumRow::no_context) continue;
    insert_cpu(cpus_, sum.cpu);
    Thread& thread = threads_[thread_of(sum)];
    if (thread.begin == thread.end) thread.comm = table.contexts()[sum.context].comm;
  }
}

// Numbers the threads and their rows.
void SampleIndex::find_threads(const SampleTable& table) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::uint32_t> known;  // pid and tid
  for (const SampleContext& context : table.contexts()) known.try_emplace({context.pid, context.tid}, 0);
  for (auto& [ids, number] : known) {
    number = static_cast<std::uint32_t>(threads_.size());
    threads_.push_back({.pid = ids.first, .tid = ids.second, .comm = {}});
  }
  for (const SampleContext& context : table.contexts()) thread_of_.push_back(known.at({context.pid, context.tid}));
  const std::vector<std::uint64_t>& of_context = table.summary().of_context();
  for (std::size_t i = 0; i < of_context.size(); ++i)
    threads_[thread_of_[i]].end += static_cast<std::uint32_t>(of_context[i]);
  std::uint32_t row = 0;
  for (Thread& thread : threads_) {
    thread.begin = row;
    thread.end = row += thread.end;
  }
}

void SampleIndex::find_cgroups(const SampleTable& table) {
  std::map<std::string_view, std::uint32_t> known;  // by path
  for (const SampleContext& context : table.contexts()) {
    if (!context.cgroup.empty()) known.try_emplace(context.cgroup, 0);
  }
  for (auto& [path, number] : known) {
    cgroups_.emplace_back(path);
    number = static_cast<std::uint32_t>(cgroups_.size());
  }
  for (const SampleContext& context : table.contexts())
    cgroup_of_.push_back(context.cgroup.empty() ? 0 : known.at(context.cgroup));
}

// Writes the samples of each slot into its rows, in the order of the table.
void SampleIndex::fill_slots(Slots& slots, unsigned threads) {
  // By part and slot: first the number of samples, then the next row.
  std::vector<std::vector<std::uint32_t>> next_rows(threads);
  const auto slot_of = [&](const SampleRow& sample) { return slots.of(thread_of_[sample.context], sample.time); };
  for_each_part(threads, samples_.size(), [&](std::size_t part, std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> counts(slots.count);
    for (std::size_t i = begin; i < end; ++i) ++counts[slot_of(samples_[i])];
    next_rows[part] = std::move(counts);
  });
  std::uint32_t next = 0;
  for (std::size_t slot = 0; slot < slots.count; ++slot) {
    slots.begins.push_back(next);
    for (std::vector<std::uint32_t>& of_part : next_rows) next += std::exchange(of_part[slot], next);
  }
  slots.begins.push_back(next);
  for_each_part(threads, samples_.size(), [&](std::size_t part, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const SampleRow& sample = samples_[i];
      rows_[next_rows[part][slot_of(sample)]++] = {
          .time = sample.time, .sample = static_cast<std::uint32_t>(i), .leaf = leaves_->of_stack(sample.stack)};
    }
  });
  for (std::size_t i = 0; i < threads_.size(); ++i)
    threads_[i].timed_end = slots.begins[slots.threads[i].first + slots.threads[i].timed];
}

void SampleIndex::sort_slots(const Slots& slots, unsigned threads) {
  share_work(threads, slots.count, [&](unsigned, Tasks& tasks) {
    TimeSorter sorter;
    while (const auto slot = tasks.next()) {
      const std::span<Row> rows =
          std::span(rows_).subspan(slots.begins[*slot], slots.begins[*slot + 1] - slots.begins[*slot]);
      if (rows.empty()) continue;
      sorter.sort(rows);
      order_equal_times(rows);
    }
  });
}

// Samples with equal times are in the order of their records, so the order does not depend on the order of the table.
void SampleIndex::order_equal_times(std::span<Row> rows) const {
  const auto in_file = [&](const Row& a, const Row& b) {
    const SampleRow &first = samples_[a.sample], &second = samples_[b.sample];
    return std::tuple(first.position, first.event) < std::tuple(second.position, second.event);
  };
  const auto same_time = [](const Row& a, const Row& b) { return a.time == b.time; };
  for (auto first = rows.begin(); (first = std::adjacent_find(first, rows.end(), same_time)) != rows.end();) {
    const auto end = std::find_if(first, rows.end(), [&](const Row& row) { return row.time != first->time; });
    std::stable_sort(first, end, in_file);
    first = end;
  }
}

}  // namespace perfsift::analysis
