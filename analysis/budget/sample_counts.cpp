#include "analysis/budget/sample_counts.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include "analysis/comparison/change.h"
#include "analysis/gate/run.h"
#include "analysis/memory/memory_access.h"
#include "base/error.h"

namespace perfsift::analysis {
namespace {

using filter::MeasureOf;
using filter::Quantity;

bool is_counted_here(const filter::Assertion& assertion) {
  return assertion.of == MeasureOf::samples || assertion.of == MeasureOf::memory;
}

std::uint64_t count_of(Quantity quantity, const AccessCounts& counts) {
  switch (quantity) {
    case Quantity::loads:
      return counts.loads;
    case Quantity::stores:
      return counts.stores;
    case Quantity::hitm:
      return counts.hitm();
    case Quantity::local_hitm:
      return counts.local_hitm;
    case Quantity::remote_hitm:
      return counts.remote_hitm;
    case Quantity::peer:
      return counts.peer();
    case Quantity::local_peer:
      return counts.local_peer;
    case Quantity::remote_peer:
      return counts.remote_peer;
    default:
      return counts.records;
  }
}

bool asks_other_caches(Quantity quantity) {
  return quantity != Quantity::accesses && quantity != Quantity::loads && quantity != Quantity::stores;
}

// The counts of one thread for one assertion.
struct Sums {
  std::vector<std::uint64_t> some;  // by block
  AccessCounts accesses;
};

// The counts of one thread.
struct Share {
  std::vector<std::uint64_t> all;  // by block
  std::uint64_t accesses = 0;
  bool tells_snoop = false;
  std::vector<Sums> sums;  // by assertion

  Share(std::size_t assertions, std::size_t blocks)
      : all(blocks), sums(assertions, Sums{.some = std::vector<std::uint64_t>(blocks), .accesses = {}}) {}

  void add(const Share& other) {
    const auto add_each = [](std::vector<std::uint64_t>& to, const std::vector<std::uint64_t>& from) {
      for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
    };
    add_each(all, other.all);
    accesses += other.accesses;
    tells_snoop |= other.tells_snoop;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      add_each(sums[i].some, other.sums[i].some);
      sums[i].accesses.add(other.sums[i].accesses);
    }
  }
};

TimeBlocks blocks_of(const reader::Recording& recording) {
  const filter::RecordingTimes times = recording_times(recording);
  TimeBlocks blocks;
  if (times.last != 0) blocks.first = times.first, blocks.last = times.last;
  return blocks;
}

}  // namespace

// One recording, with the filters that can be asked about it.
struct SampleCounter::Pass {
  const Reading& reading;
  reader::Recording& recording;
  TimeBlocks times;
  CodeVersions code_versions;
  UnwindOptions unwind;
  RecordingFilter selection;
  std::vector<std::unique_ptr<RecordingFilter>> filters;  // by assertion; nullptr: not asked

  Pass(reader::Recording& in, symbolize::Symbolizer& symbolizer, const Reading& how)
      : reading(how),
        recording(in),
        times(blocks_of(in)),
        code_versions(in, symbolizer),
        selection(in, symbolizer, how.selection, FilterStacks()) {
    unwind.symbolizer = &symbolizer;
    unwind.code_versions = &code_versions;
    selection.prepare(how.threads);
  }
};

class SampleCounter::Worker : public reader::SampleVisitor {
 public:
  Worker(const Pass& pass, const filter::Budget& budget, Share& share)
      : pass_(pass), budget_(budget), share_(share), resolved_(pass.recording, pass.unwind) {
    selection_ = pass.selection.worker(resolved_);
    for (const auto& filter : pass.filters) filters_.push_back(filter != nullptr ? filter->worker(resolved_) : nullptr);
  }

  void sample(const reader::Sample& sample) override {
    resolved_.set(sample);
    if (selection_ != nullptr && !selection_->keeps(sample)) return;
    if (pass_.reading.is_counted(*sample.event)) count_sample(sample);
    if (events_.contains(*sample.event)) count_access(sample);
  }

 private:
  bool keeps(std::size_t assertion, const reader::Sample& sample) {
    if (pass_.filters[assertion] == nullptr) return false;
    return filters_[assertion] == nullptr || filters_[assertion]->keeps(sample);
  }

  void count_sample(const reader::Sample& sample) {
    const TimeBlocks& times = pass_.times;
    const bool timed = times.any() && sample.time >= times.first && sample.time <= times.last;
    const std::size_t block = timed ? times.block_of(sample.time) : 0;
    ++share_.all[block];
    for (std::size_t i = 0; i < budget_.assertions.size(); ++i) {
      if (budget_.assertions[i].of == MeasureOf::samples && keeps(i, sample)) ++share_.sums[i].some[block];
    }
  }

  void count_access(const reader::Sample& sample) {
    const MemoryAccess access = MemoryAccess::of(sample);
    if (!access.is_access()) return;
    ++share_.accesses;
    share_.tells_snoop |= (access.source().snoop & ~DataSource::snoop_na) != 0 || access.source().snoop_extended != 0;
    for (std::size_t i = 0; i < budget_.assertions.size(); ++i) {
      if (budget_.assertions[i].of != MeasureOf::memory || !keeps(i, sample)) continue;
      share_.sums[i].accesses.add(access.source(), access.address != 0, true);
    }
  }

  const Pass& pass_;
  const filter::Budget& budget_;
  Share& share_;
  ResolvedSample resolved_;
  MemoryEvents events_;
  std::unique_ptr<SampleFilter> selection_;             // nullptr: all samples are kept
  std::vector<std::unique_ptr<SampleFilter>> filters_;  // by assertion; nullptr: all samples are kept, or not asked
};

SampleCounter::SampleCounter(const filter::Budget& budget) : budget_(budget), counts_(budget.assertions.size()) {}

void SampleCounter::count(reader::Recording& recording, symbolize::Symbolizer& symbolizer, const Reading& reading) {
  Pass pass(recording, symbolizer, reading);
  pass.filters.resize(counts_.size());
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    const filter::Assertion& assertion = budget_.assertions[i];
    if (!is_counted_here(assertion)) continue;
    auto filter = std::make_unique<RecordingFilter>(recording, symbolizer, assertion.filter, FilterStacks());
    try {
      filter->prepare(reading.threads);
      pass.filters[i] = std::move(filter);
    } catch (const UsageError& error) {  // the recording lacks a fact that the expression asks
      const std::string text = error.what();
      counts_[i].missing = text.substr(0, text.find('\n'));
    }
  }

  const std::size_t blocks = pass.times.any() ? TimeBlocks::count : 1;
  std::mutex mutex;
  std::list<Share> shares;
  recording.visit_samples(pass.selection.needs_order(), reading.threads, [&](unsigned) {
    const std::lock_guard lock(mutex);
    return std::make_unique<Worker>(pass, budget_, shares.emplace_back(counts_.size(), blocks));
  });
  Share all(counts_.size(), blocks);
  for (const Share& share : shares) all.add(share);

  for (std::size_t i = 0; i < counts_.size(); ++i) {
    for (std::size_t block = 0; block < blocks; ++block) {
      counts_[i].samples.push_back({.run = runs_, .some = all.sums[i].some[block], .all = all.all[block]});
    }
    counts_[i].accesses.add(all.sums[i].accesses);
    counts_[i].all_accesses += all.accesses;
    counts_[i].tells_snoop |= all.tells_snoop;
  }
  ++runs_;
}

MeasuredValue SampleCounter::measured(std::size_t number) const {
  const filter::Assertion& assertion = budget_.assertions[number];
  const ExpressionCount& count = counts_[number];
  if (!count.missing.empty()) return MeasuredValue::not_known(count.missing);
  if (assertion.of == MeasureOf::samples) return share_of_samples(count.samples);
  if (count.all_accesses == 0) {
    return MeasuredValue::not_known("no memory access was recorded: record with perf mem record");
  }
  if (asks_other_caches(assertion.quantity) && !count.tells_snoop) {
    return MeasuredValue::not_known(
        "the samples have no answers of other caches (mem_snoop): this processor does not record them");
  }
  const std::uint64_t some = count_of(assertion.quantity, count.accesses);
  MeasuredValue result = MeasuredValue::exact(static_cast<double>(some), count.all_accesses, "accesses");
  if (assertion.unit == filter::BudgetUnit::percent) {
    const ShareInterval share = interval_of_share(static_cast<double>(some), static_cast<double>(count.all_accesses));
    result.value = Estimate{.value = share.share, .low = share.low, .high = share.high};
  }
  if (count.accesses.records == 0) result.note = "no sampled access matches";
  return result;
}

}  // namespace perfsift::analysis
