#include "tools/profile/stack_collector.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "reader/callchain.h"
#include "tools/profile/address_table.h"
#include "tools/profile/call_stack.h"
#include "tools/profile/callchain_table.h"
#include "tools/profile/quality.h"

namespace perfsift::tools {
namespace {

using reader::CpuMode;
using reader::Sample;
using reader::ThreadState;

constexpr EventId left_out = ~EventId{0};

bool is_kernel_mode(CpuMode mode) {
  return mode == CpuMode::kernel || mode == CpuMode::hypervisor || mode == CpuMode::guest_kernel;
}

// What one sample counts: its period, and 1 where no period was recorded. attr.sample_period is one unless it is the
// frequency that was asked for.
std::uint64_t period_of(const Sample& sample) {
  const reader::EventAttr& attr = sample.event->attr;
  const bool known = attr.has(reader::sample_bit::period) || attr.has(reader::sample_bit::read) || !attr.freq();
  return known && sample.period != 0 ? sample.period : 1;
}

// The states of the threads seen last, by tid. Of a stream nothing can be remembered: its timeline still grows.
class ThreadCache {
 public:
  explicit ThreadCache(const reader::Recording& recording)
      : timeline_(recording.timeline()), growing_(recording.streamed()) {}

  const ThreadState& find(std::int32_t pid, std::int32_t tid, reader::Moment moment) {
    Entry& entry = entries_[static_cast<std::uint32_t>(tid) % entries_.size()];
    const bool hit = !growing_ && entry.valid && entry.tid == tid && entry.pid == pid && entry.state.from <= moment &&
                     moment < entry.state.until;
    if (!hit) entry = {.valid = true, .pid = pid, .tid = tid, .state = timeline_.thread(pid, tid, moment)};
    return entry.state;
  }

 private:
  struct Entry {
    bool valid = false;
    std::int32_t pid = 0;
    std::int32_t tid = 0;
    ThreadState state;
  };
  const reader::Timeline& timeline_;
  const bool growing_;
  std::array<Entry, 256> entries_;
};

}  // namespace

std::string thread_frame(std::string_view comm, std::int32_t pid, std::int32_t tid, const StackOptions& options) {
  if (options.tid) return foldable(fmt::format("{}-{}/{}", comm, pid, tid));
  if (options.pid) return foldable(fmt::format("{}-{}", comm, pid));
  return foldable(comm);
}

void CollectCounts::add(const CollectCounts& other) {
  samples += other.samples;
  without_stack += other.without_stack;
  callchains += other.callchains;
  full_chains += other.full_chains;
  frames += other.frames;
  if (unnamed.size() < other.unnamed.size()) unnamed.resize(other.unnamed.size());
  for (std::size_t i = 0; i < other.unnamed.size(); ++i) unnamed[i] += other.unnamed[i];
}

// Counts the callchains of the samples it is given, then turns each distinct one into a stack.
class StackCollector::Worker : public reader::SampleVisitor {
 public:
  explicit Worker(StackCollector& owner)
      : owner_(owner),
        options_(owner.options_),
        timeline_(owner.recording_.timeline()),
        threads_(owner.recording_),
        list_(owner.profile_.new_list()),
        stack_(options_.shape, owner.profile_.frames()) {}

  void sample(const Sample& sample) override {
    const EventId event = event_of(*sample.event);
    if (event == left_out) return;
    count(sample);
    const ThreadState& state = threads_.find(sample.pid, sample.tid, sample.moment);
    const CallchainOwner who{.comm = options_.comm ? state.comm : 0,
                             .maps = state.maps,
                             .kernel_maps = state.kernel_maps,
                             .pid = options_.pid || options_.tid ? sample.pid : 0,
                             .tid = needs_tid(state) ? sample.tid : 0,
                             .event = event,
                             .mode = static_cast<std::uint32_t>(sample.cpumode)};
    const std::uint64_t value = options_.weight == Weight::period ? period_of(sample) : 1;
    const reader::Words calls = call_stack_.of(sample);
    if (!calls.empty()) {
      callchains_.add(who, calls, lasting(sample, calls), value);
    } else if (sample.has(reader::sample_bit::ip)) {
      const Unaligned<std::uint64_t> ip(sample.ip);
      callchains_.add(who, {&ip, 1}, false, value);
    } else {
      callchains_.add(who, {}, true, value);
    }
  }

  void finish() override {
    name_all();
    const std::lock_guard lock(owner_.mutex_);
    owner_.counts_.add(counts_);
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
    ++counts_.samples;
    if (!sample.callchain.empty()) ++counts_.callchains;
    if (is_truncated(sample)) ++counts_.full_chains;
  }

  // Whether the callchain lies in the mapped file, where it stays.
  bool lasting(const Sample& sample, reader::Words calls) const {
    const auto* chain = reinterpret_cast<const std::byte*>(calls.data());
    const bool in_record = chain >= sample.record.data() && chain < sample.record.data() + sample.record.size();
    return in_record && !owner_.recording_.streamed();
  }

  void name_all() {
    for (const CountedCallchain& chain : callchains_.callchains()) {
      prefetch_words_ahead(chain);
      stack_.begin();
      name_frames(chain);
      if (stack_.nothing_of_part()) {
        counts_.without_stack += chain.samples;
        continue;
      }
      const auto comm = options_.comm ? std::optional(comm_frame(chain.owner)) : std::nullopt;
      list_.add(chain.owner.event, stack_.finish(comm), chain.value);
    }
  }

  // Callchains lie scattered over the recording, so the processor does not see which one is needed next.
  void prefetch_words_ahead(const CountedCallchain& chain) {
    constexpr std::ptrdiff_t ahead = 24;
    const auto& all = callchains_.callchains();
    if (all.data() + all.size() - &chain > ahead) prefetch((&chain)[ahead].words);
  }

  void name_frames(const CountedCallchain& chain) {
    const ThreadState state{.comm = chain.owner.comm, .maps = chain.owner.maps, .kernel_maps = chain.owner.kernel_maps};
    AddressTable* addresses = nullptr;
    std::uint64_t context = 0;  // of `addresses`
    std::uint64_t frames = 0;
    reader::for_each_frame(
        chain.words, static_cast<CpuMode>(chain.owner.mode), [&](CpuMode mode, std::uint64_t ip, bool return_address) {
          const bool kernel = is_kernel_mode(mode);
          if (!stack_.wants(kernel)) return;
          const std::uint64_t its_context = context_of(state, mode, return_address);
          if (its_context != context) addresses = &addresses_.of(context = its_context);
          const FrameNamer::Named named =
              addresses->find(ip, [&] { return owner_.namer_.name(state, mode, ip, return_address); });
          stack_.add(named.frame, kernel);
          ++frames;
          if (named.unnamed != 0) count_unnamed(named.unnamed, chain.samples);
        });
    counts_.frames += frames * chain.samples;
  }

  // Everything but the address that decides about its name, as a number that is not 0.
  static std::uint64_t context_of(const ThreadState& state, CpuMode mode, bool return_address) {
    const std::uint64_t maps = is_kernel_mode(mode) ? state.kernel_maps : state.maps;
    return maps << 5 | static_cast<std::uint64_t>(mode) << 2 | (return_address ? 2 : 0) | 1;
  }

  void count_unnamed(std::uint32_t place, std::uint64_t samples) {
    if (counts_.unnamed.size() <= place) counts_.unnamed.resize(place + 1);
    counts_.unnamed[place] += samples;
  }

  FrameId comm_frame(const CallchainOwner& who) {
    const auto [known, is_new] = comms_.try_emplace({who.comm, who.pid, who.tid}, 0);
    if (!is_new) return known->second;
    const std::string text = thread_frame(timeline_.comm(who.tid, {.comm = who.comm}), who.pid, who.tid, options_);
    return known->second = owner_.profile_.frames().intern(text);
  }

  StackCollector& owner_;
  const StackOptions& options_;
  const reader::Timeline& timeline_;
  ThreadCache threads_;
  StackList& list_;
  CallStack call_stack_;
  CallchainTable callchains_;
  AddressTables addresses_;
  std::vector<std::optional<EventId>> events_;  // by Event::index
  std::map<std::array<std::int64_t, 3>, FrameId> comms_;
  StackBuilder stack_;
  CollectCounts counts_;
};

StackCollector::StackCollector(reader::Recording& recording, symbolize::Symbolizer& symbolizer, Profile& profile,
                               StackOptions options, KeepEvent keep)
    : recording_(recording),
      profile_(profile),
      options_(std::move(options)),
      keep_(std::move(keep)),
      namer_(recording.timeline(), symbolizer, profile.frames(), options_.frames) {}

void StackCollector::collect(unsigned threads) {
  recording_.visit_parallel(threads, [this](unsigned) { return std::make_unique<Worker>(*this); });
}

}  // namespace perfsift::tools
