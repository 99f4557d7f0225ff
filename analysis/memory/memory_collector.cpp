#include "analysis/memory/memory_collector.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <unordered_map>

#include "analysis/memory/data_source_text.h"
#include "analysis/memory/memory_cells.h"
#include "analysis/profile/stack_sums.h"
#include "analysis/samples/resolved_sample.h"
#include "analysis/samples/stack_builder.h"
#include "analysis/samples/stack_namer.h"
#include "reader/callchain.h"

namespace perfsift::analysis {
namespace {

using reader::Sample;

// The cells of a row; unused places are 0.
using RowKey = std::array<FrameId, MemoryOptions::most_keys>;

struct RowHash {
  std::size_t operator()(const RowKey& key) const {
    std::uint64_t hash = odd_1;
    for (std::size_t i = 0; i < key.size(); i += 2) hash = mix(hash ^ key[i], odd_2 ^ std::uint64_t{key[i + 1]} << 32);
    return hash;
  }
};

using Rows = std::unordered_map<RowKey, AccessSums, RowHash>;

void count(const MemoryAccess& access, AccessSums& sums) {
  sums.amount += {.samples = 1, .value = access.weight()};
  if (access.is_load()) ++sums.loads;
  if (access.is_store()) ++sums.stores;
  if (access.latency != 0) sums.latency.add(access.latency);
}

MemoryTable table_of(const MemoryKeys& keys, Rows&& rows, MemoryOrder order, const FrameTable& texts) {
  MemoryTable table{.keys = keys, .rows = {}};
  for (auto& [key, sums] : rows) {
    MemoryRow row{.cells = {}, .sums = std::move(sums)};
    for (std::size_t i = 0; i < keys.size(); ++i) row.cells.push_back(texts.text(key[i]));
    table.rows.push_back(std::move(row));
  }
  std::ranges::sort(table.rows, [&](const MemoryRow& a, const MemoryRow& b) {
    const auto rank = [&](const Amount& amount) {
      return order == MemoryOrder::weight ? std::pair(amount.value, amount.samples)
                                          : std::pair(amount.samples, amount.value);
    };
    const auto of_a = rank(a.sums.amount), of_b = rank(b.sums.amount);
    return of_a != of_b ? of_a > of_b : a.cells < b.cells;
  });
  return table;
}

}  // namespace

// The results of one thread.
struct MemoryCollector::Share {
  explicit Share(std::size_t tables, std::uint64_t line_size) : rows(tables), lines(line_size) {}

  void add(const Share& other) {
    sums.counts.add(other.sums.counts);
    sums.unknown.add(other.sums.unknown);
    sums.all.add(other.sums.all);
    sums.local += other.sums.local;
    sums.remote += other.sums.remote;
    sums.on_own_node += other.sums.on_own_node;
    sums.on_other_node += other.sums.on_other_node;
    sums.node_unknown += other.sums.node_unknown;
    sums.skipped += other.sums.skipped;
    sums.events.insert(other.sums.events.begin(), other.sums.events.end());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (const auto& [key, row] : other.rows[i]) rows[i][key].add(row);
    }
    lines.add(other.lines);
  }

  MemoryReport sums;  // without tables
  std::vector<Rows> rows;
  CacheLines lines;
};

class MemoryCollector::Worker : public reader::SampleVisitor {
 public:
  Worker(MemoryCollector& owner, Share& share)
      : owner_(owner),
        options_(owner.options_),
        share_(share),
        resolved_(owner.recording_, owner.unwind_),
        filter_(owner.filter_.worker(resolved_)),
        cells_(owner.recording_, owner.symbolizer_, owner.nodes_, owner.profile_.frames()),
        code_versions_(owner.code_versions_, owner.recording_.timeline()),
        namer_(owner.namer_, owner.code_versions_),
        stack_(options_.shape.shape, owner.profile_.frames()),
        truncated_(owner.profile_.frames().intern("[truncated]")) {
    if (options_.stacks) stacks_.emplace(owner.profile_);
  }

  void sample(const Sample& sample) override {
    if (!is_memory_event(*sample.event)) return;
    if (filter_ == nullptr) {
      resolved_.set(sample);
    } else if (!filter_->keeps(sample)) {
      return;
    }
    const MemoryAccess access = MemoryAccess::of(sample);
    if (!access.is_access()) {
      ++share_.sums.skipped;
      return;
    }
    cells_.set(sample, resolved_.thread(), access);
    if (options_.node && cells_.data_node() != options_.node) return;
    add(sample, access);
  }

 private:
  void add(const Sample& sample, const MemoryAccess& access) {
    MemoryReport& sums = share_.sums;
    const bool counts_for_line = sums.counts.add(access.source, access.address, cells_.mapped());
    sums.unknown.add(access.source);
    if (sample.event != latest_event_) sums.events.insert(sample.event->index);
    latest_event_ = sample.event;
    count(access, sums.all);
    count_nodes(access);
    for (std::size_t i = 0; i < options_.tables.size(); ++i) {
      RowKey key{};
      for (std::size_t k = 0; k < options_.tables[i].size(); ++k) key[k] = cells_.cell(options_.tables[i][k]);
      count(access, share_.rows[i][key]);
    }
    // A breakpoint on reads and writes does not tell which of both an access was; it still is one.
    const bool unknown = !access.is_load() && !access.is_store() && access.address != 0;
    if (options_.cache_lines && (counts_for_line || unknown)) share_.lines.add(sample, access, cells_);
    if (options_.stacks) add_stack(sample, access);
  }

  void count_nodes(const MemoryAccess& access) {
    MemoryReport& sums = share_.sums;
    const bool level_known = (levels_of(access.source) & DataSource::all_levels) != 0 || access.source.has_number();
    if (level_known) ++(is_remote(access.source) ? sums.remote : sums.local);
    const auto data = cells_.data_node(), cpu = cells_.cpu_node();
    ++(!data || !cpu ? sums.node_unknown : *data == *cpu ? sums.on_own_node : sums.on_other_node);
  }

  void add_stack(const Sample& sample, const MemoryAccess& access) {
    FrameTable& frames = owner_.profile_.frames();
    const reader::ThreadState& thread = resolved_.thread();
    const CallStack::Stack& stack = resolved_.stack();
    stack_.begin();
    const std::string_view level = cells_.text(cells_.cell(MemoryKey::level));
    stack_.add(frames.intern(foldable("[" + std::string(level) + "]")), is_kernel_mode(sample.cpumode));
    const CodeOwner owner{.comm = thread.comm,
                          .maps = thread.maps,
                          .kernel_maps = thread.kernel_maps,
                          .code_version = code_versions_.of(thread, sample.time)};
    const reader::CallchainPart first{.mode = sample.cpumode, .starts_a_call = true};
    reader::for_each_part(stack.words, first, [&](const reader::CallchainPart& part) {
      if (!stack_.wants(is_kernel_mode(part.mode))) return;
      frames_.clear();
      namer_.append(owner, part, frames_);
      stack_.add(frames_, is_kernel_mode(part.mode));
    });
    if (stack.truncated && stack_.wants(false)) stack_.add(truncated_, false);
    std::optional<FrameId> comm;
    if (options_.shape.comm) {
      comm = frames.intern(
          thread_frame(owner_.recording_.timeline().comm(sample.tid, thread), sample.pid, sample.tid, options_.shape));
    }
    const std::uint64_t value = options_.stack_weight == Weight::samples ? 1 : access.weight();
    stacks_->add(owner_.profile_.event(sample.event->name), stack_.finish(comm), {.samples = 1, .value = value});
  }

  MemoryCollector& owner_;
  const MemoryOptions& options_;
  Share& share_;
  ResolvedSample resolved_;
  const std::unique_ptr<SampleFilter> filter_;  // nullptr: all samples are kept
  MemoryCells cells_;
  CodeVersionFinder code_versions_;
  StackNamer namer_;
  StackBuilder stack_;
  std::vector<FrameId> frames_;  // of a part of a stack
  const FrameId truncated_;
  std::optional<StackSums> stacks_;
  const reader::Event* latest_event_ = nullptr;
};

MemoryCollector::MemoryCollector(reader::Recording& recording, symbolize::Symbolizer& symbolizer, Profile& profile,
                                 MemoryOptions options, const filter::Filter& filter)
    : recording_(recording),
      symbolizer_(symbolizer),
      profile_(profile),
      options_(std::move(options)),
      filter_(recording, symbolizer, filter, {.max_frames = options_.shape.unwind.max_frames}),
      namer_(recording.timeline(), symbolizer, profile.frames(), options_.shape.frames),
      code_versions_(recording, symbolizer),
      unwind_(options_.shape.unwind),
      nodes_(recording.features()),
      lines_(cache_line_size(recording.features())) {
  unwind_.tables = &symbolizer.unwind_tables();
  unwind_.code_versions = &code_versions_;
}

void MemoryCollector::collect(unsigned threads) {
  filter_.prepare(threads);
  std::list<Share> shares;
  const auto new_worker = [&](unsigned) {
    const std::lock_guard lock(mutex_);
    return std::make_unique<Worker>(*this, shares.emplace_back(options_.tables.size(), lines_.line_size()));
  };
  recording_.visit_samples(unwind_.repair || filter_.needs_order(), threads, new_worker);
  Share all(options_.tables.size(), lines_.line_size());
  if (!shares.empty()) {
    std::swap(all, shares.front());
    shares.pop_front();
  }
  for (const Share& share : shares) all.add(share);
  report_ = std::move(all.sums);
  for (std::size_t i = 0; i < options_.tables.size(); ++i) {
    report_.tables.push_back(table_of(options_.tables[i], std::move(all.rows[i]), options_.order, profile_.frames()));
  }
  lines_ = std::move(all.lines);
  lines_.finish(profile_.frames());
}

}  // namespace perfsift::analysis
