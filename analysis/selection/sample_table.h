// The samples of a SampleLog as columns, by thread and time: a question about a million samples takes milliseconds.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/profile/sample_log.h"
#include "analysis/selection/leaf_table.h"
#include "base/large_vector.h"

namespace perfsift::analysis {

// Immutable. The leaves must live longer.
class SampleTable {
 public:
  struct Thread {
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    std::string comm;  // of its last sample
    // Its rows, in the order of their times. Samples without a time come last.
    std::uint32_t begin = 0;
    std::uint32_t timed_end = 0;
    std::uint32_t end = 0;
  };

  // The log may be in any order. The number of threads does not change the table.
  SampleTable(const SampleLog& log, const LeafTable& leaves, unsigned threads = 1);

  const LeafTable& leaves() const { return *leaves_; }
  // In the order of process and thread numbers.
  const std::vector<Thread>& threads() const { return threads_; }
  // Ascending; -1 for samples whose CPU was not recorded.
  const std::vector<std::int32_t>& cpus() const { return cpus_; }
  // The times of the first and the last sample; 0 without times.
  std::uint64_t first_time() const { return first_time_; }
  std::uint64_t last_time() const { return last_time_; }

  // The columns of a row.
  std::uint32_t size() const { return static_cast<std::uint32_t>(times.size()); }
  UnsetVector<std::uint64_t> times;
  UnsetVector<std::uint64_t> values;
  UnsetVector<std::uint64_t> positions;  // of the records in the recording
  UnsetVector<LeafId> leaf_ids;
  UnsetVector<std::uint32_t> cpu_numbers;  // index into cpus()
  UnsetVector<EventId> events;

 private:
  struct Place;
  std::vector<std::uint32_t> find_threads(const SampleLog& log);
  UnsetVector<Place> places_by_thread(const SampleLog& log, unsigned threads);
  static void sort(Thread& thread, std::span<Place> all, std::span<const LoggedSample> samples);
  void find_times(std::span<const Place> places);
  void find_cpus(const SampleLog& log);
  void fill(const SampleLog& log, std::span<const Place> places, unsigned threads);

  const LeafTable* leaves_;
  std::vector<Thread> threads_;
  std::vector<std::int32_t> cpus_;
  std::uint64_t first_time_ = 0, last_time_ = 0;
};

}  // namespace perfsift::analysis
