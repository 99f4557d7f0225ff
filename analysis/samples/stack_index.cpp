#include "analysis/samples/stack_index.h"

#include <algorithm>
#include <atomic>
#include <list>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "analysis/samples/resolved_sample.h"
#include "analysis/samples/stack_numbers.h"
#include "base/hash.h"
#include "base/hinted_search.h"
#include "reader/callchain.h"

namespace perfsift::analysis {

// Numbers the stacks of one thread's samples, and their frames.
class StackIndex::Worker {
 public:
  Worker(const reader::Recording& recording, symbolize::Symbolizer& symbolizer, std::size_t max_frames)
      : code_facts_(recording, symbolizer),
        resolved_(recording, UnwindOptions{.symbolizer = &symbolizer,
                                           .code_versions = &code_facts_.code_versions(),
                                           .max_frames = max_frames}) {}

  // False if there is no number left.
  bool add(const reader::Sample& sample) {
    resolved_.set(sample);
    const reader::ThreadState& thread = resolved_.thread();
    code_facts_.set_thread(thread, sample.time);
    const reader::Words words = resolved_.stack().words();
    const StackNumbers::Hash hash = StackNumbers::hash_of({.maps = thread.maps,
                                                           .kernel_maps = thread.kernel_maps,
                                                           .code_version = code_facts_.code_version(),
                                                           .mode = sample.cpumode},
                                                          words);
    const auto stack = numbers_.of(hash);
    if (!stack) return false;
    samples.push_back({.position = sample.moment.position, .stack = *stack});
    if (*stack < hashes.size()) return true;
    hashes.push_back(hash);
    return add_frames(words, sample.cpumode);
  }
  const std::vector<CodeFacts::LocationKey>& code() const { return code_facts_.numbered(); }

  LargeVector<NumberedSample> samples;
  // By stack:
  LargeVector<StackNumbers::Hash> hashes;
  LargeVector<std::size_t> ends;  // in frames

  LargeVector<std::uint32_t> frames;

 private:
  bool add_frames(reader::Words words, reader::CpuMode mode) {
    code_facts_.get_numbers(words, mode, some_);
    if (some_.empty() && has_frames(words, mode)) return false;
    frames.insert(frames.end(), some_.begin(), some_.end());
    ends.push_back(frames.size());
    return true;
  }

  static bool has_frames(reader::Words words, reader::CpuMode mode) {
    bool any = false;
    reader::for_each_frame(words, mode, [&](reader::CpuMode, std::uint64_t, bool) { any = true; });
    return any;
  }

  CodeFacts code_facts_;
  ResolvedSample resolved_;
  StackNumbers numbers_;
  std::vector<std::uint32_t> some_;
};

// Each worker has numbers of its own, which become numbers of the index: equal stacks have one, and equal frames.
class StackIndex::Joiner {
 public:
  explicit Joiner(StackIndex& index) : index_(index) {}

  // False if there is no number left.
  bool add(const Worker& worker) {
    const std::vector<std::uint32_t> frames = frame_numbers(worker);
    LargeVector<std::uint32_t> stacks;
    stacks.reserve(worker.hashes.size());
    for (std::size_t i = 0; i < worker.hashes.size(); ++i) {
      const auto stack = stacks_.of(worker.hashes[i]);
      if (!stack) return false;
      stacks.push_back(*stack);
      if (*stack < index_.size()) continue;
      for (std::size_t at = i == 0 ? 0 : worker.ends[i - 1]; at < worker.ends[i]; ++at)
        index_.frames_.push_back(frames[worker.frames[at]]);
      index_.begins_.push_back(index_.frames_.size());
    }
    add_samples(worker, stacks);
    return true;
  }
  // The samples in the order of their positions.
  const LargeVector<NumberedSample>& samples() const { return samples_; }

 private:
  struct Hash {
    std::size_t operator()(const CodeFacts::LocationKey& key) const { return mix(key.ip ^ odd_1, key.context ^ odd_2); }
  };

  std::vector<std::uint32_t> frame_numbers(const Worker& worker) {
    std::vector<std::uint32_t> numbers;
    for (const CodeFacts::LocationKey& key : worker.code())
      numbers.push_back(frames_.try_emplace(key, static_cast<std::uint32_t>(frames_.size())).first->second);
    return numbers;
  }
  void add_samples(const Worker& worker, const LargeVector<std::uint32_t>& stacks) {
    const auto before = static_cast<std::ptrdiff_t>(samples_.size());
    for (const NumberedSample& sample : worker.samples)
      samples_.push_back({.position = sample.position, .stack = stacks[sample.stack]});
    const auto begin = samples_.begin(), added = begin + before, end = samples_.end();
    // A thread reads parts of the recording from its start to its end, so its samples are mostly in order.
    if (!std::ranges::is_sorted(added, end, {}, &NumberedSample::position))
      std::ranges::sort(added, end, {}, &NumberedSample::position);
    std::ranges::inplace_merge(begin, added, end, {}, &NumberedSample::position);
  }

  StackIndex& index_;
  StackNumbers stacks_;
  std::unordered_map<CodeFacts::LocationKey, std::uint32_t, Hash> frames_;
  LargeVector<NumberedSample> samples_;
};

namespace {

// Gives a worker its samples, until one of the workers fails.
template <typename Worker>
class Indexer : public reader::SampleVisitor {
 public:
  Indexer(Worker& worker, std::size_t most_frames, std::atomic<bool>& failed, const std::function<void()>& check)
      : worker_(worker), most_frames_(most_frames), failed_(failed), check_(check) {}

  void sample(const reader::Sample& sample) override {
    if (++seen_ % samples_between_checks == 0) check_();
    if (failed_.load(std::memory_order_relaxed)) return;
    if (!worker_.add(sample) || worker_.frames.size() > most_frames_) failed_ = true;
  }

 private:
  static constexpr std::uint32_t samples_between_checks = 1024;

  Worker& worker_;
  const std::size_t most_frames_;
  std::atomic<bool>& failed_;
  const std::function<void()>& check_;
  std::uint32_t seen_ = 0;
};

}  // namespace

std::optional<StackIndex> StackIndex::build(reader::Recording& recording, symbolize::Symbolizer& symbolizer,
                                            const Limits& limits, unsigned threads,
                                            const std::function<void()>& check) {
  const std::size_t most_frames = limits.memory / sizeof(std::uint32_t) / threads;
  std::atomic<bool> failed = false;
  std::mutex mutex;
  std::list<Worker> workers;
  recording.visit_parallel(threads, [&](unsigned) {
    const std::lock_guard lock(mutex);
    Worker& worker = workers.emplace_back(recording, symbolizer, limits.max_frames);
    return std::make_unique<Indexer<Worker>>(worker, most_frames, failed, check);
  });
  if (failed) return std::nullopt;
  StackIndex index;
  Joiner joiner(index);
  for (const Worker& worker : workers) {
    check();
    if (!joiner.add(worker)) return std::nullopt;
  }
  index.set_samples(joiner.samples());
  return index;
}

void StackIndex::set_samples(const LargeVector<NumberedSample>& samples) {
  positions_.reserve(samples.size());
  stacks_.reserve(samples.size());
  for (const auto& [position, stack] : samples) {
    if (!positions_.empty() && positions_.back() == position) {
      if (stacks_.back() != stack) stacks_.back() = no_stack;
      continue;
    }
    positions_.push_back(position);
    stacks_.push_back(stack);
  }
}

std::optional<std::uint32_t> StackIndex::stack_of(std::uint64_t position, Hint& hint) const {
  hint = first_from(positions_, position, hint);
  const bool is_known = hint < positions_.size() && positions_[hint] == position && stacks_[hint] != no_stack;
  return is_known ? std::optional(stacks_[hint]) : std::nullopt;
}

}  // namespace perfsift::analysis
