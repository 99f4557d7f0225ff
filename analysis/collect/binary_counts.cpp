#include "analysis/collect/binary_counts.h"

#include <algorithm>
#include <memory>
#include <mutex>

#include "analysis/collect/callchain_table.h"
#include "analysis/samples/call_stack.h"
#include "reader/callchain.h"

namespace perfsift::analysis {
namespace {

using reader::CpuMode;

// Counts equal callchains, then reads each distinct callchain once.
class Counter : public reader::SampleVisitor {
 public:
  Counter(const reader::Recording& recording, const UnwindOptions& unwind, BinaryCounts& total, std::mutex& mutex)
      : timeline_(recording.timeline()), total_(total), mutex_(mutex), call_stack_(recording, unwind) {}

  void sample(const reader::Sample& sample) override {
    const reader::ThreadState state = timeline_.thread(sample.pid, sample.tid, sample.moment);
    const CallchainOwner owner{
        .maps = state.maps, .kernel_maps = state.kernel_maps, .mode = static_cast<std::uint32_t>(sample.cpumode)};
    const CallStack::Stack& stack = call_stack_.of(sample, state);
    callchains_.add(owner, stack.words(), stack.words_last(), 0, 1);
  }

  void finish() override {
    callchains_.look_up_rest();
    const auto known = table_.callchains();
    callchains_.for_each_count([&](const LeafCount& it) { count(*known[it.callchain], it.amount.samples); });
    const std::lock_guard lock(mutex_);
    total_.add(counts_);
  }

 private:
  void count(const KnownCallchain& chain, std::uint64_t samples) {
    const reader::ThreadState state{.maps = chain.owner.maps, .kernel_maps = chain.owner.kernel_maps};
    seen_.clear();
    reader::for_each_frame(chain.words(), static_cast<CpuMode>(chain.owner.mode),
                           [&](CpuMode mode, std::uint64_t ip, bool return_address) {
                             const CodeAddress at = timeline_.resolve(state, mode, ip, return_address);
                             if (at.binary != CodeAddress::no_binary) seen_.push_back(at.binary);
                           });
    std::ranges::sort(seen_);
    seen_.erase(std::unique(seen_.begin(), seen_.end()), seen_.end());
    counts_.samples += samples;
    if (!seen_.empty() && counts_.with_frame_in.size() <= seen_.back()) counts_.with_frame_in.resize(seen_.back() + 1);
    for (const std::uint32_t binary : seen_) counts_.with_frame_in[binary] += samples;
  }

  const reader::Timeline& timeline_;
  BinaryCounts& total_;
  std::mutex& mutex_;
  CallStack call_stack_;
  CallchainTable table_{1};
  CallchainTable::Counter& callchains_ = table_.new_counter();
  std::vector<std::uint32_t> seen_;
  BinaryCounts counts_;
};

}  // namespace

void BinaryCounts::add(const BinaryCounts& other) {
  samples += other.samples;
  with_frame_in.resize(std::max(with_frame_in.size(), other.with_frame_in.size()));
  for (std::size_t i = 0; i < other.with_frame_in.size(); ++i) with_frame_in[i] += other.with_frame_in[i];
}

BinaryCounts count_binaries(reader::Recording& recording, const UnwindOptions& unwind, unsigned threads) {
  BinaryCounts counts;
  std::mutex mutex;
  recording.visit_parallel(threads,
                           [&](unsigned) { return std::make_unique<Counter>(recording, unwind, counts, mutex); });
  counts.with_frame_in.resize(recording.timeline().binaries().size());
  return counts;
}

}  // namespace perfsift::analysis
