#include "tools/profile/stack_collector.h"

#include <algorithm>
#include <array>
#include <list>
#include <map>

#include "reader/callchain.h"
#include "reader/ordered_delivery.h"
#include "tools/profile/address_context.h"
#include "tools/profile/address_table.h"
#include "tools/profile/call_stack.h"
#include "tools/profile/callchain_table.h"
#include "tools/profile/quality.h"
#include "tools/profile/thread_cache.h"

namespace perfsift::tools {
namespace {

using reader::CpuMode;
using reader::Sample;
using reader::ThreadState;
using reader::Words;

constexpr EventId left_out = ~EventId{0};

}  // namespace

void CollectCounts::add(const CollectCounts& other) {
  samples += other.samples;
  without_stack += other.without_stack;
  callchains += other.callchains;
  truncated += other.truncated;
  frames += other.frames;
  if (unnamed.size() < other.unnamed.size()) unnamed.resize(other.unnamed.size());
  for (std::size_t i = 0; i < other.unnamed.size(); ++i) unnamed[i] += other.unnamed[i];
}

// What one thread finds: the callchains it is the first to see, and their stacks. The list's entry i shows callchain i.
struct StackCollector::Share {
  // Some frames of one callchain, next to each other, that lie in one of unnamed_places().
  struct UnnamedFrames {
    std::size_t callchain = 0;
    std::uint32_t place = 0;
    std::uint32_t frames = 0;
  };

  Share(CallchainTable& table, Profile& profile) : callchains(table.new_counter()), stacks(profile.new_list()) {}

  // When all threads have counted all samples: gives each stack its value, and counts what was seen in samples.
  void finish(const StackOptions& options) {
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const CountedCallchain& chain = callchains.callchains()[i];
      const bool nothing_left = frames[i] == 0 && options.shape.part != StackPart::all;
      if (nothing_left) {
        counts.without_stack += chain.samples;
      } else {
        stacks.increase(i, chain.value);
        counts.frames += frames[i] * chain.samples;
      }
    }
    for (const UnnamedFrames& some : unnamed) {
      if (counts.unnamed.size() <= some.place) counts.unnamed.resize(some.place + 1);
      counts.unnamed[some.place] += some.frames * callchains.callchains()[some.callchain].samples;
    }
  }

  CallchainTable::Counter& callchains;
  StackList& stacks;
  StableVector<std::uint32_t> frames;  // how many each callchain has
  StableVector<UnnamedFrames> unnamed;
  CollectCounts counts;
};

// Counts the callchains of the samples it is given, and turns each distinct one into a stack.
class StackCollector::Worker : public reader::SampleVisitor {
 public:
  Worker(StackCollector& owner, Share& share)
      : owner_(owner),
        share_(share),
        options_(owner.options_),
        timeline_(owner.recording_.timeline()),
        threads_(owner.recording_),
        code_versions_(owner.code_versions_, timeline_),
        call_stack_(owner.recording_, owner.unwind_),
        filter_(owner.filter_.worker()),
        stack_(options_.shape, owner.profile_.frames()),
        truncated_(owner.profile_.frames().intern("[truncated]")) {}

  void sample(const Sample& sample) override {
    const EventId event = event_of(*sample.event);
    if (event == left_out) return;
    if (filter_ != nullptr && !filter_->keeps(sample)) return;
    count(sample);
    const ThreadState& state = threads_.find(sample.pid, sample.tid, sample.moment);
    const CallchainOwner who{.comm = options_.comm ? state.comm : 0,
                             .maps = state.maps,
                             .kernel_maps = state.kernel_maps,
                             .pid = options_.pid || options_.tid ? sample.pid : 0,
                             .tid = needs_tid(state) ? sample.tid : 0,
                             .event = event,
                             .mode = static_cast<std::uint32_t>(sample.cpumode),
                             .code_version = code_versions_.of(state, sample.time)};
    const CallStack::Stack stack = call_stack_.of(sample, state.maps);
    if (stack.truncated) ++share_.counts.truncated;
    share_.callchains.add(who, stack.words, stack.lasting, weight_of(sample, options_.weight));
    name_new_callchains();
  }

  void finish() override {
    share_.callchains.look_up_rest();
    name_new_callchains();
  }

 private:
  // Threads without a name are shown by their number, so they must be told apart.
  bool needs_tid(const ThreadState& state) const { return options_.tid || (options_.comm && state.comm == 0); }

  EventId event_of(const reader::Event& event) {
    while (events_.size() <= event.index) events_.push_back(std::nullopt);
    std::optional<EventId>& known = events_[event.index];
    if (!known) {
      const auto name = owner_.keep_(event);
      known = name ? owner_.profile_.event(*name) : left_out;
    }
    return *known;
  }

  void count(const Sample& sample) {
    ++share_.counts.samples;
    if (has_stack(sample)) ++share_.counts.callchains;
  }

  // Names callchains that were not seen before, while their words are still near the processor.
  void name_new_callchains() {
    const auto& all = share_.callchains.callchains();
    while (share_.frames.size() < all.size()) add_stack(all[share_.frames.size()]);
  }

  // The value is not known yet.
  void add_stack(const CountedCallchain& chain) {
    stack_.begin();
    share_.frames.push_back(name_frames(chain));
    if (stack_.nothing_of_part()) return share_.stacks.add(chain.owner.event, {}, 0);
    const auto comm = options_.comm ? std::optional(comm_frame(chain.owner)) : std::nullopt;
    share_.stacks.add(chain.owner.event, stack_.finish(comm), 0);
  }

  // Returns how many frames there are, inlined ones not counted.
  std::uint32_t name_frames(const CountedCallchain& chain) {
    std::uint32_t frames = 0;
    reader::for_each_part(chain.words(), static_cast<CpuMode>(chain.owner.mode),
                          [&](const reader::CallchainPart& part) {
                            if (!stack_.wants(is_kernel_mode(part.mode))) return;
                            name_addresses(chain.owner, part);
                            frames += static_cast<std::uint32_t>(part.addresses.size());
                          });
    if (reader::is_noted_truncated(chain.words()) && stack_.wants(false)) stack_.add(truncated_, false);
    return frames;
  }

  void name_addresses(const CallchainOwner& owner, const reader::CallchainPart& part) {
    const ThreadState state{.comm = owner.comm, .maps = owner.maps, .kernel_maps = owner.kernel_maps};
    const std::uint64_t code_time = owner_.code_versions_.time_in(owner.code_version);
    named_.resize(part.addresses.size());
    FrameId highest = 0;
    const auto name_some = [&](std::size_t from, std::size_t to, bool return_addresses) {
      AddressTable& known = addresses_.of(address_context(owner, part, return_addresses));
      for (std::size_t i = from; i < to; ++i) {
        const std::uint64_t ip = part.addresses[i];
        const FrameNamer::Named named = known.find(ip, [&] {
          return owner_.namer_.name(state, {.mode = part.mode,
                                            .ip = ip,
                                            .return_address = return_addresses,
                                            .note = part.note,
                                            .code_time = code_time});
        });
        named_[i] = named.frame;
        highest = std::max(highest, named.frame);
        if (named.unnamed != 0) note_unnamed(named.unnamed);
      }
    };
    const std::size_t instructions = part.starts_a_call ? 1 : 0;
    name_some(0, instructions, false);
    name_some(instructions, named_.size(), true);

    const bool kernel = is_kernel_mode(part.mode);
    if (highest < FrameNamer::Named::groups) return stack_.add(named_, kernel);
    for (const FrameId frame : named_) {
      if (frame < FrameNamer::Named::groups) {
        stack_.add(frame, kernel);
      } else {
        stack_.add(owner_.namer_.group(frame), kernel);
      }
    }
  }

  void note_unnamed(std::uint32_t place) {
    const std::size_t callchain = share_.frames.size();
    StableVector<Share::UnnamedFrames>& all = share_.unnamed;
    const bool go_on = !all.empty() && all.back().callchain == callchain && all.back().place == place;
    if (!go_on) all.push_back({.callchain = callchain, .place = place, .frames = 0});
    ++all.back().frames;
  }

  FrameId comm_frame(const CallchainOwner& who) {
    const auto [known, is_new] = comms_.try_emplace({who.comm, who.pid, who.tid}, 0);
    if (!is_new) return known->second;
    const std::string text = thread_frame(timeline_.comm(who.tid, {.comm = who.comm}), who.pid, who.tid, options_);
    return known->second = owner_.profile_.frames().intern(text);
  }

  StackCollector& owner_;
  Share& share_;
  const StackOptions& options_;
  const reader::Timeline& timeline_;
  ThreadCache threads_;
  CodeVersionFinder code_versions_;
  CallStack call_stack_;
  const std::unique_ptr<SampleFilter> filter_;  // nullptr: all samples count
  AddressTables addresses_;
  std::vector<std::optional<EventId>> events_;  // by Event::index
  std::map<std::array<std::int64_t, 3>, FrameId> comms_;
  StackBuilder stack_;
  const FrameId truncated_;
  std::vector<FrameId> named_;  // of some addresses
};

StackCollector::StackCollector(reader::Recording& recording, symbolize::Symbolizer& symbolizer, Profile& profile,
                               StackOptions options, KeepEvent keep, const filter::Filter& filter)
    : recording_(recording),
      profile_(profile),
      options_(std::move(options)),
      keep_(std::move(keep)),
      filter_(recording, symbolizer, filter, {.max_frames = options_.unwind.max_frames}),
      namer_(recording.timeline(), symbolizer, profile.frames(), options_.frames),
      code_versions_(recording, symbolizer),
      unwind_(options_.unwind) {
  unwind_.tables = &symbolizer.unwind_tables();
  unwind_.code_versions = &code_versions_;
}

void StackCollector::collect(unsigned threads) {
  filter_.prepare(threads);
  CallchainTable table(threads);
  std::list<Share> shares;
  const auto new_worker = [&](unsigned) {
    const std::lock_guard lock(mutex_);
    return std::make_unique<Worker>(*this, shares.emplace_back(table, profile_));
  };
  if (unwind_.repair || filter_.needs_order()) {  // each sample needs those before it
    const auto worker = new_worker(0);
    reader::InOrder in_order(*worker);
    recording_.visit_in_order(in_order);
    worker->finish();
  } else {
    recording_.visit_parallel(threads, new_worker);
  }
  for (Share& share : shares) {
    share.finish(options_);
    counts_.add(share.counts);
  }
}

}  // namespace perfsift::tools
