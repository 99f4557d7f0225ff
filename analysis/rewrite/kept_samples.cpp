#include "analysis/rewrite/kept_samples.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <unordered_map>

namespace perfsift::analysis {
namespace {

using Thread = std::pair<std::int32_t, std::int32_t>;

// A set that skips repeated adds: consecutive samples often come from one thread.
class ThreadSet {
 public:
  void add(Thread thread) {
    if (thread != last_) threads_.insert(last_ = thread);
  }
  const std::set<Thread>& threads() const { return threads_; }

 private:
  Thread last_{-2, -2};
  std::set<Thread> threads_;
};

class Parts {
 public:
  // Adds the results of one worker.
  void add(KeptSamples&& found) {
    const std::lock_guard lock(mutex_);
    const auto [at, added] = parts_.try_emplace(found.part);
    KeptSamples& part = at->second;
    if (added) return void(part = std::move(found));
    const auto middle = static_cast<std::ptrdiff_t>(part.positions.size());
    part.positions.insert(part.positions.end(), found.positions.begin(), found.positions.end());
    std::inplace_merge(part.positions.begin(), part.positions.begin() + middle, part.positions.end());
    part.sampled_time.add(found.sampled_time);
    part.threads.merge(found.threads);
  }

  std::vector<KeptSamples> take() {
    std::vector<KeptSamples> all;
    for (auto& [name, part] : parts_) {
      part.positions.erase(std::unique(part.positions.begin(), part.positions.end()), part.positions.end());
      all.push_back(std::move(part));
    }
    return all;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, KeptSamples> parts_;
};

class KeepingVisitor : public reader::SampleVisitor {
 public:
  KeepingVisitor(const RecordingFilter& filter, const SplitRule& split, const reader::Recording& recording,
                 Parts& parts)
      : filter_(filter.worker()), splitter_(split, recording), parts_(parts) {}

  void sample(const reader::Sample& sample) override {
    if (filter_ && !filter_->keeps(sample)) return;
    const std::uint64_t number = splitter_.number_of(sample);
    if (last_ == nullptr || number != last_number_) {
      last_ = &found_[number];
      last_number_ = number;
      if (last_->kept.positions.empty()) {
        last_->kept.part = splitter_.name_of(sample);
        last_->kept.times = splitter_.times_of(sample);
      }
    }
    last_->kept.add(sample);
    last_->threads.add({sample.pid, sample.tid});
  }

  // Counters are read in the order of times, which may differ from the order of positions.
  void finish() override {
    for (auto& [number, found] : found_) {
      found.kept.threads = found.threads.threads();
      if (!std::ranges::is_sorted(found.kept.positions)) std::ranges::sort(found.kept.positions);
      parts_.add(std::move(found.kept));
    }
  }

 private:
  struct Found {
    KeptSamples kept;
    ThreadSet threads;
  };

  std::unique_ptr<SampleFilter> filter_;  // nullptr: all samples are kept
  Splitter splitter_;
  Parts& parts_;
  std::unordered_map<std::uint64_t, Found> found_;  // by the splitter's number; entries keep their addresses
  Found* last_ = nullptr;
  std::uint64_t last_number_ = 0;
};

}  // namespace

void KeptSamples::add(const reader::Sample& sample) {
  if (!positions.empty() && positions.back() == sample.moment.position) return;
  positions.push_back(sample.moment.position);
  sampled_time.add(sample.time);
}

std::vector<KeptSamples> find_kept_samples(reader::Recording& recording, const RecordingFilter& filter,
                                           const SplitRule& split, unsigned threads) {
  Parts parts;
  if (split.by == SplitRule::By::nothing) parts.add({});
  const auto worker = [&](unsigned) { return std::make_unique<KeepingVisitor>(filter, split, recording, parts); };
  recording.visit_samples(filter.needs_order(), threads, worker);
  std::vector<KeptSamples> found = parts.take();
  const filter::TimeRanges times = filter.times();
  for (KeptSamples& part : found) part.times = filter::in_both(part.times, times);
  return found;
}

}  // namespace perfsift::analysis
