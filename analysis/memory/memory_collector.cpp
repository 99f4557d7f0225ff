#include "analysis/memory/memory_collector.h"

#include <list>
#include <memory>

#include "analysis/memory/access_summer.h"
#include "analysis/memory/line_names.h"
#include "analysis/memory/memory_cells.h"
#include "analysis/memory/memory_sums.h"
#include "analysis/profile/stack_sums.h"
#include "analysis/samples/resolved_sample.h"
#include "analysis/samples/stack_builder.h"
#include "analysis/samples/stack_namer.h"
#include "base/histogram_bucket.h"
#include "reader/callchain.h"

namespace perfsift::analysis {

using reader::Sample;

// The accesses that one thread collects.
struct MemoryCollector::Share {
  MemorySums sums;
  LineSums lines;
  AccessSummer accesses = {};
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
    if (!events_.contains(*sample.event)) return;
    if (filter_ == nullptr) {
      resolved_.set(sample);
    } else if (!filter_->keeps(sample)) {
      return;
    }
    const MemoryAccess access = MemoryAccess::of(sample);
    if (!access.is_access()) {
      share_.sums.skip();
      return;
    }
    cells_.set(sample, resolved_.thread(), access);
    const std::optional<std::uint32_t> node = cells_.data_node();
    share_.sums.add(access, cells_);
    share_.sums.add_nodes(match_of(node, cells_.cpu_node()));
    if (options_.cache_lines) add_to_line(sample, access);
    if (options_.stacks) add_stack(sample, access);
    if (options_.time_of) keep(sample, access, node);
  }

 private:
  void add_to_line(const Sample& sample, const MemoryAccess& access) {
    // A breakpoint on reads and writes does not say which of the two an access was. Such an access counts.
    const bool unknown = !access.is_load() && !access.is_store() && access.address != 0;
    if (unknown || counts_for_line(access.source(), access.address != 0, cells_.mapped()))
      share_.lines.add(sample, access, cells_);
  }

  void add_stack(const Sample& sample, const MemoryAccess& access) {
    FrameTable& frames = owner_.profile_.frames();
    stack_.begin();
    const std::string_view level = cells_.text(cells_.cell(Key::level));
    stack_.add(frames.intern(foldable("[" + std::string(level) + "]")), is_kernel_mode(sample.cpumode));
    add_frames(sample);
    std::optional<FrameId> comm;
    if (options_.shape.comm) {
      const std::string text = thread_frame(owner_.recording_.timeline().comm(sample.tid, resolved_.thread()),
                                            sample.pid, sample.tid, options_.shape);
      if (!text.empty()) comm = frames.intern(text);
    }
    const std::uint64_t value = options_.stack_weight == Weight::samples ? 1 : access.weight();
    stacks_->add(owner_.profile_.event(sample.event->name), stack_.finish(comm), {.samples = 1, .value = value});
  }

  void add_frames(const Sample& sample) {
    const reader::ThreadState& thread = resolved_.thread();
    const CallStack::Stack& stack = resolved_.stack();
    const CodeOwner owner{.comm = thread.comm,
                          .maps = thread.maps,
                          .kernel_maps = thread.kernel_maps,
                          .code_version = code_versions_.of(thread, sample.time)};
    const reader::CallchainPart first{.mode = sample.cpumode, .starts_a_call = true};
    reader::for_each_part(stack.words(), first, [&](const reader::CallchainPart& part) {
      if (!stack_.wants(is_kernel_mode(part.mode))) return;
      frames_.clear();
      namer_.append(owner, part, frames_);
      stack_.add(frames_, is_kernel_mode(part.mode));
    });
    if (stack.truncated && stack_.wants(false)) stack_.add(truncated_, false);
  }

  void keep(const Sample& sample, const MemoryAccess& access, const std::optional<std::uint32_t>& node) {
    stack_.begin();
    add_frames(sample);
    const auto frames = stack_.finish(std::nullopt);
    share_.accesses.add({.time = options_.time_of(sample.time),
                         .event = cells_.cell(Key::event),
                         .comm = cells_.cell(Key::comm),
                         .cgroup = cells_.cell(Key::cgroup),
                         .symbol = cells_.cell(Key::symbol),
                         .dso = cells_.cell(Key::dso),
                         .variable = cells_.cell(Key::variable),
                         .dso_daddr = cells_.cell(Key::dso_daddr),
                         .kind = cells_.cell(Key::kind),
                         .source = access.source_bits,
                         .has_address = access.address != 0,
                         .mapped = cells_.mapped(),
                         .node = match_of(node, cells_.cpu_node()),
                         .latency_bucket = static_cast<std::uint32_t>(histogram_bucket(access.latency))},
                        {frames.begin(), frames.end()}, {.samples = 1, .value = access.weight()});
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
  MemoryEvents events_;
  std::vector<FrameId> frames_;  // frames of a part of a stack
  const FrameId truncated_;
  std::optional<StackSums> stacks_;
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
      line_size_(cache_line_size(recording.features())) {
  unwind_.symbolizer = &symbolizer;
  unwind_.code_versions = &code_versions_;
}

MemoryTotals MemoryCollector::collect(unsigned threads) {
  filter_.prepare(threads);
  std::list<Share> shares;
  const auto new_worker = [&](unsigned) {
    const std::lock_guard lock(mutex_);
    return std::make_unique<Worker>(*this, shares.emplace_back(Share{.sums = new_sums(), .lines = {}, .accesses = {}}));
  };
  recording_.visit_samples(unwind_.repair || filter_.needs_order(), threads, new_worker);
  Share all{.sums = new_sums(), .lines = {}, .accesses = {}};
  for (Share& share : shares) {
    all.sums.add(std::move(share.sums));
    all.lines.add(std::move(share.lines));
    all.accesses.add(share.accesses);
  }
  return {.sums = std::move(all.sums),
          .lines = CacheLines(all.lines, line_size_, profile_.frames(), nodes_, options_.recording, threads),
          .accesses = all.accesses.sums(profile_.frames())};
}

void MemoryCollector::describe(CacheLines& lines) {
  LineNames names(recording_, symbolizer_, profile_.frames());
  for (CacheLine& line : lines.first(options_.lines)) {
    if (line.recording == options_.recording) names.describe(line);
  }
}

}  // namespace perfsift::analysis
