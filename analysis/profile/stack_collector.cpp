#include "analysis/profile/stack_collector.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <memory_resource>
#include <set>
#include <utility>

#include "analysis/profile/callchain_table.h"
#include "analysis/profile/context_sums.h"
#include "analysis/profile/quality.h"
#include "analysis/samples/address_context.h"
#include "analysis/samples/address_table.h"
#include "analysis/samples/call_stack.h"
#include "analysis/samples/resolved_sample.h"
#include "analysis/samples/sample_values.h"
#include "base/copy_span.h"
#include "base/share_work.h"
#include "reader/callchain.h"

namespace perfsift::analysis {
namespace {

using reader::CpuMode;
using reader::Sample;
using reader::ThreadState;

constexpr EventId left_out = ~EventId{0};
constexpr std::size_t prefetch_ahead = 16;
constexpr FrameId no_leaf = ~FrameId{0};  // the sample has no frame, or its leaf is not in the wanted part
// The numbers below stand for leaves that are not in the wanted part, and by which the kernel was entered.
constexpr FrameId first_no_leaf = no_leaf - static_cast<FrameId>(filter::KernelEntry::nmi);
constexpr FrameId no_leaf_of(std::uint32_t entry) { return no_leaf - entry; }
constexpr bool is_leaf(FrameId leaf) { return leaf < first_no_leaf; }

StackOptions with_entries(StackOptions options) {
  options.frames.kernel_entries = options.shape.interrupts != Interrupts::keep;
  return options;
}

// The stack of samples with nothing in the wanted part of stacks.
constexpr std::uint32_t unwanted_stack = TableBuilder::Part::unwanted;

}  // namespace

void CollectCounts::add(const CollectCounts& other) {
  samples += other.samples;
  without_stack += other.without_stack;
  callchains += other.callchains;
  truncated += other.truncated;
  interrupts += other.interrupts;
  frames += other.frames;
  ends.add(other.ends);
  if (remarks.size() < other.remarks.size()) remarks.resize(other.remarks.size());
  for (std::size_t i = 0; i < other.remarks.size(); ++i) remarks[i] += other.remarks[i];
}

void CollectCounts::add_remark(std::uint32_t remark, std::uint64_t count) {
  if (remarks.size() <= remark) remarks.resize(remark + 1);
  remarks[remark] += count;
}

// The number of frames of a callchain with one of remarks().
struct StackCollector::RemarkedFrames {
  std::uint32_t remark = 0;
  std::uint32_t frames = 0;
};

// The results of one thread: its counts, and the frames of the callers that the thread saw first.
struct StackCollector::Share {
  // The frames of a callchain of callers.
  struct NamedCallers {
    CallersId callers;  // with the thread's name as root
    std::span<const RemarkedFrames> remarked;
    std::uint32_t room = 0;             // how many frames of a leaf will fit
    std::uint32_t addresses = 0;        // of the wanted part of the callchain
    std::uint32_t end = 0;              // see StackEnds; 0: complete, or counted with the leaf
    bool kernel_leaf = false;           // the leaves are in the kernel
    filter::StackContext context = {};  // if the options ask for it
  };
  // What add_stacks() needs of the collector.
  struct Naming {
    const StackOptions& options;
    const FrameNamer& namer;
    const InterruptFrames* interrupts;  // nullptr: they are not kept apart
  };

  // `rows`: nullptr if no rows are wanted.
  Share(CallchainTable& table, Profile& profile, Grain grain, TableBuilder* rows)
      : callchains(table.new_counter(rows != nullptr && grain == Grain::context ? Counting::later : Counting::at_once)),
        stacks(profile.new_list()),
        profile_(profile) {
    if (rows == nullptr) return;
    if (grain == Grain::sample) samples.emplace(*rows);
    if (grain == Grain::context) sums.emplace();
  }

  // Counts the samples that were added up, once all of them have been.
  void count_sums() {
    constexpr std::size_t at_once = 64;
    sums->add_up();
    StableVector<ContextSum>& all = sums->all();
    for (std::size_t begin = 0; begin < all.size(); begin += at_once) {
      const std::size_t end = std::min(all.size(), begin + at_once);
      for (std::size_t i = begin; i < end; ++i) callchains.prefetch_slot(all[i].callchain, all[i].leaf);
      for (std::size_t i = begin; i < end; ++i) callchains.prefetch_count(all[i].callchain, all[i].leaf);
      for (std::size_t i = begin; i < end; ++i)
        all[i].count = static_cast<std::uint32_t>(callchains.count(all[i].callchain, all[i].leaf, all[i].amount));
    }
  }

  std::span<const RemarkedFrames> copy(std::span<const RemarkedFrames> some) { return copy_span(some, memory_); }

  // Turns the counts of this thread into stacks, once all threads have counted all samples. `all`: by the number of the
  // callchain.
  void add_stacks(const std::vector<const NamedCallers*>& all, const Naming& naming) {
    if (!sums) of_first_counts_ = add_stacks(callchains.first_counts(), all, naming);
    of_other_counts_ = add_stacks(callchains.other_counts(), all, naming);
  }

  // Gives the samples their stacks, once all threads have added all stacks.
  void finish_samples() {
    const std::uint32_t first_stack = profile_.first_stack(stacks.number());
    samples->finish([&](std::uint32_t bits) {
      const CountId count = CountId::of(bits);
      const std::uint32_t stack = (count.first != 0 ? of_first_counts_ : of_other_counts_)[count.index];
      return stack < unwanted_stack ? first_stack + stack : stack;
    });
  }
  // Writes one row per sum, once all threads have added all stacks.
  void write_sums(std::span<SumRow> to) const {
    const std::uint32_t first_stack = profile_.first_stack(stacks.number());
    std::ranges::transform(sums->all(), to.begin(), [&](const ContextSum& sum) {
      const std::uint32_t stack = of_other_counts_[sum.count];
      return SumRow{.amount = sum.amount,
                    .stack = stack != SampleRow::no_stack ? first_stack + stack : stack,
                    .context = sum.context,
                    .cpu = sum.cpu,
                    .event = sum.event,
                    .mode = sum.mode};
    });
  }
  // The time of all rows.
  TimeSpan time() const { return samples ? samples->summary().times() : summed_time; }

  CallchainTable::Counter& callchains;
  StackList& stacks;
  StableVector<NamedCallers> named;  // one for each of callchains.callchains()
  // The leaves by which the kernel was entered, if the options ask for them.
  std::map<FrameId, filter::KernelEntry> entries;
  CollectCounts counts;
  std::set<std::int32_t> processes;  // of rows
  // One of both, if rows are wanted.
  std::optional<TableBuilder::Part> samples;  // the stack of each: CountId::bits(), until finish_samples()
  std::optional<ContextSums> sums;
  TimeSpan summed_time;  // of the samples in `sums`

 private:
  using Counting = CallchainTable::Counting;
  using Stacks = LargeVector<std::uint32_t>;  // index of a count's stack in `stacks`, or SampleRow::no_stack

  // The stacks of the counts, if rows are wanted.
  Stacks add_stacks(const StableVector<LeafCount>& counted, const std::vector<const NamedCallers*>& all,
                    const Naming& naming) {
    Stacks stacks_of(samples || sums ? counted.size() : 0, SampleRow::no_stack);
    for (std::size_t i = 0; i < counted.size(); ++i) {
      if (i + prefetch_ahead < counted.size()) __builtin_prefetch(all[counted[i + prefetch_ahead].callchain]);
      const LeafCount& count = counted[i];
      const NamedCallers& below = *all[count.callchain];
      counts.ends.add(below.end, count.amount.samples);
      if (is_unwanted(count, below, naming.options)) {
        counts.without_stack += count.amount.samples;
        if (!stacks_of.empty()) stacks_of[i] = unwanted_stack;
        continue;
      }
      const std::uint64_t addresses = below.addresses + (is_leaf(count.leaf) ? 1u : 0u);
      counts.frames += addresses * count.amount.samples;
      for (const RemarkedFrames& some : below.remarked) {
        counts.add_remark(some.remark, some.frames * count.amount.samples);
      }
      const std::size_t stack = stacks.entries().size();
      add_stack(count, below, naming);
      if (!stacks_of.empty() && stacks.entries().size() != stack) stacks_of[i] = static_cast<std::uint32_t>(stack);
    }
    return stacks_of;
  }

  // Whether nothing is left of the stack: no frames of the wanted part, or an interrupt that is left out.
  bool is_unwanted(const LeafCount& count, const NamedCallers& below, const StackOptions& options) {
    if (options.shape.interrupts != Interrupts::keep) {
      const bool drops = options.shape.interrupts == Interrupts::drop;
      const bool interrupt = context_of(count, below).is_interrupt();
      if (drops) counts.interrupts += {.left_out = interrupt ? count.amount.samples : 0, .of = count.amount.samples};
      if (interrupt) return drops;
    }
    return below.addresses == 0 && !is_leaf(count.leaf) && options.shape.part != StackPart::all;
  }

  filter::StackContext context_of(const LeafCount& count, const NamedCallers& below) const {
    filter::StackContext context = below.context;
    if (!is_leaf(count.leaf)) {
      context.enter(static_cast<filter::KernelEntry>(no_leaf - count.leaf));
    } else if (const auto entry = entries.find(count.leaf); entry != entries.end() && below.kernel_leaf) {
      context.enter(entry->second);
    }
    return context;
  }

  void add_stack(const LeafCount& count, const NamedCallers& below, const Naming& naming) {
    if (naming.interrupts != nullptr && add_apart(count, below, naming)) return;
    if (count.leaf < FrameNamer::Named::groups && below.room != 0)
      return stacks.add(below.callers, count.leaf, count.amount);
    const Callers& callers = profile_.callers(below.callers);
    frames_.assign(callers.frames.begin(), callers.frames.end());
    if (is_leaf(count.leaf) && below.room != 0) append_leaf(naming.namer.group(count.leaf), below.room, frames_);
    stacks.add(callers.event, frames_, count.amount);
  }

  // Adds the stack of an interrupt that its leaf began: the leaf stands on no callers but those of an interrupt.
  bool add_apart(const LeafCount& count, const NamedCallers& below, const Naming& naming) {
    const filter::StackContext context = context_of(count, below);
    if (!context.is_interrupt() || context.context() == below.context.context()) return false;
    const Callers& callers = profile_.callers(below.callers);
    frames_.assign({naming.interrupts->of(context.context())});
    if (below.context.is_interrupt()) frames_.insert(frames_.end(), callers.frames.begin() + 1, callers.frames.end());
    const std::size_t most = naming.options.shape.max_depth == 0 ? below.room : naming.options.shape.max_depth + 1;
    const std::size_t room = most - std::min(most, frames_.size());
    if (is_leaf(count.leaf)) {
      const bool single = count.leaf < FrameNamer::Named::groups;
      append_leaf(single ? std::span(&count.leaf, 1) : naming.namer.group(count.leaf), room, frames_);
    }
    stacks.add(callers.event, frames_, count.amount);
    return true;
  }

  // `leaf`: innermost first.
  static void append_leaf(std::span<const FrameId> leaf, std::size_t room, std::vector<FrameId>& frames) {
    const auto fitting = leaf.last(std::min(leaf.size(), room));
    frames.insert(frames.end(), fitting.rbegin(), fitting.rend());
  }

  const Profile& profile_;
  std::vector<FrameId> frames_;  // of the current stack
  Stacks of_first_counts_, of_other_counts_;
  std::pmr::monotonic_buffer_resource memory_;
};

// Counts samples by callers and leaf, and names both.
class StackCollector::Worker : public reader::SampleVisitor {
 public:
  Worker(StackCollector& owner, Share& share)
      : owner_(owner),
        share_(share),
        options_(owner.options_),
        timeline_(owner.recording_.timeline()),
        code_versions_(owner.code_versions_, timeline_),
        resolved_(owner.recording_, owner.unwind_),
        filter_(owner.filter_.worker(resolved_)),
        thread_cgroups_(owner.thread_cgroups_),
        values_(owner.recording_.features()),
        stack_(options_.shape, owner.profile_.frames(), options_.frames.detail),
        ends_(owner.ends_),
        truncated_(owner.profile_.frames().intern("[truncated]")) {}

  void sample(const Sample& sample) override {
    const EventId event = event_of(*sample.event);
    if (event == left_out) return;
    if (filter_ == nullptr) {
      resolved_.set(sample);
    } else if (!filter_->keeps(sample)) {
      return;
    }
    count(sample);
    const ThreadState& state = resolved_.thread();
    const CallStack::Stack& stack = resolved_.stack();
    if (stack.truncated) ++share_.counts.truncated;
    const reader::SplitCallchain callchain = reader::split_leaf(stack.words, sample.cpumode);
    const CallchainOwner who{.comm = name_of(state, sample),
                             .maps = state.maps,
                             .kernel_maps = state.kernel_maps,
                             .pid = options_.pid || options_.tid ? sample.pid : 0,
                             .tid = needs_tid(state) ? sample.tid : 0,
                             .event = event,
                             .tail = static_cast<std::uint32_t>(stack.tail),
                             .mode = static_cast<std::uint32_t>(callchain.leaf.mode),
                             .note = note_number(callchain.leaf.note),
                             .code_version = code_versions_.of(state, sample.time)};
    if (is_short(callchain.callers)) share_.counts.ends.add(ends_.of(who, stack.words, first_part(sample)), 1);
    const std::uint64_t value = weight_of(sample, options_.weight);
    const std::uint32_t leaf = leaf_frame(who, callchain.leaf);
    std::uint32_t* const counted = owner_.rows_ != nullptr ? add_row(sample, event, leaf, value) : nullptr;
    const CallStack::Stack::Callers callers = stack.callers(callchain);
    share_.callchains.add(who, callers.words, callers.lasting, leaf, value, counted);
    name_new_callers();
  }

  void finish() override {
    share_.callchains.look_up_rest();
    if (share_.sums) share_.count_sums();
    name_new_callers();
  }

 private:
  // Threads without a name are shown by their TID, so their samples are counted separately.
  bool needs_tid(const ThreadState& state) const { return options_.tid || (options_.comm && state.comm == 0); }

  // The number of the thread's name; with the option cgroup, of the pair of name and control group.
  std::uint32_t name_of(const ThreadState& state, const Sample& sample) {
    const std::uint32_t comm = options_.comm ? state.comm : 0;
    return options_.cgroup ? thread_cgroups_.number({.comm = comm, .cgroup = sample.cgroup}) : comm;
  }

  // The end of such a stack depends on its leaf, so the end is found for each sample; for longer stacks once per
  // callchain.
  static bool is_short(reader::Words callers) { return callers.size() <= 2; }

  static reader::CallchainPart first_part(const Sample& sample) {
    return {.mode = sample.cpumode, .starts_a_call = true};
  }

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

  // Where the sample's count is wanted, or, if samples are added up, the number of its callchain.
  std::uint32_t* add_row(const Sample& sample, EventId event, std::uint32_t leaf, std::uint64_t value) {
    const auto mode = static_cast<std::uint32_t>(sample.cpumode);
    if (share_.sums) {
      if (share_.sums->is_full()) {
        share_.callchains.look_up_rest();  // so that all samples have their callchains
        share_.sums->add_up();
      }
      share_.summed_time.add(sample.time);
      ContextSum& one = share_.sums->add({.leaf = leaf,
                                          .context = context_of(sample),
                                          .cpu = sample.cpu,
                                          .event = event,
                                          .mode = mode,
                                          .amount = {.samples = 1, .value = value}});
      return &one.callchain;
    }
    SampleRow& row = share_.samples->add({.time = sample.time,
                                          .value = value,
                                          .position = sample.moment.position,
                                          .context = context_of(sample),
                                          .cpu = sample.cpu,
                                          .event = event,
                                          .mode = mode});
    return &row.stack;
  }

  std::uint32_t context_of(const Sample& sample) {
    const ThreadState& state = resolved_.thread();
    const std::uint64_t ids =
        std::uint64_t{static_cast<std::uint32_t>(sample.pid)} << 32 | static_cast<std::uint32_t>(sample.tid);
    const ContextKey key{.ids = ids, .cgroup = sample.cgroup, .comm = state.comm, .numbers = numbers_of(sample)};
    if (last_context_ != contexts_.end() && last_context_->first == key) return last_context_->second;
    const auto [known, is_new] = contexts_.try_emplace(key, 0);
    last_context_ = known;
    if (is_new) {
      share_.processes.insert(sample.pid);
      known->second = owner_.rows_->context({.pid = sample.pid,
                                             .tid = sample.tid,
                                             .comm = timeline_.comm(sample.tid, state),
                                             .cgroup = std::string(timeline_.cgroup(sample.cgroup)),
                                             .numbers = numbers_});
    }
    return known->second;
  }

  // Fills numbers_. Returns their place among the numbers of all samples; 0 where rows have none.
  std::uint32_t numbers_of(const Sample& sample) {
    const std::vector<filter::Fact>& wanted = owner_.rows_->shape().numbers;
    if (wanted.empty()) return 0;
    numbers_.clear();
    for (const filter::Fact number : wanted) numbers_.push_back(values_.number(sample, number));
    return places_of_numbers_.try_emplace(numbers_, static_cast<std::uint32_t>(places_of_numbers_.size()))
        .first->second;
  }

  // The number of the leaf's frame: as in FrameNamer::Named, or no_leaf.
  std::uint32_t leaf_frame(const CallchainOwner& owner, const reader::CallchainPart& leaf) {
    const bool wanted = stack_.wants(is_kernel_mode(leaf.mode));
    if (leaf.addresses.empty() || (!wanted && !stack_.needs_entries())) return no_leaf;
    const reader::CallchainPart noted = with_note(owner, leaf);
    AddressTable& known = addresses_.of(address_context(owner, noted, false));
    const FrameNamer::Named named = name(known, owner, noted, noted.addresses.front(), false);
    if (!wanted) return no_leaf_of(named.entry);
    if (named.remark != 0) share_.counts.add_remark(named.remark, 1);
    if (named.entry != 0) share_.entries.try_emplace(named.frame, named.kernel_entry());
    return named.frame;
  }

  // For the first frame of a part: notes where only frame pointers tell its callers.
  static reader::CallchainPart with_note(const CallchainOwner& owner, reader::CallchainPart part) {
    const bool by_frame_pointers = static_cast<StackTail>(owner.tail) == StackTail::by_frame_pointers;
    const bool found = part.note == reader::callchain_note::found;
    if (by_frame_pointers && found && part.mode == CpuMode::user)
      part.note = reader::callchain_note::before_frame_pointers;
    return part;
  }

  // Names new callers while their words are still in the processor's cache.
  void name_new_callers() {
    const auto& all = share_.callchains.callchains();
    while (share_.named.size() < all.size()) name_callers(all[share_.named.size()]);
  }

  void name_callers(const KnownCallchain& chain) {
    const reader::CallchainPart first{.mode = static_cast<CpuMode>(chain.owner.mode),
                                      .note = note_of(chain.owner.note)};
    stack_.begin(is_kernel_mode(first.mode) && stack_.wants(true));
    remarked_.clear();
    std::uint32_t addresses = 0;
    reader::for_each_part(chain.words(), first, [&](const reader::CallchainPart& part) {
      if (!stack_.wants(is_kernel_mode(part.mode))) return note_entries(chain.owner, part);
      name_addresses(chain.owner, part);
      addresses += static_cast<std::uint32_t>(part.addresses.size());
    });
    if (reader::is_noted_truncated(chain.words()) && stack_.wants(false)) stack_.add(truncated_, false);
    const auto comm = options_.comm ? comm_frame(chain.owner) : std::nullopt;
    const auto cgroup = options_.cgroup ? std::optional(cgroup_frame(chain.owner)) : std::nullopt;
    const filter::StackContext context = stack_.end();
    const std::uint32_t room = stack_.room();
    share_.named.push_back({.callers = share_.stacks.add_callers(chain.owner.event, stack_.finish(comm, cgroup)),
                            .remarked = share_.copy(remarked_),
                            .room = room,
                            .addresses = addresses,
                            .end = is_short(chain.words()) ? 0 : ends_.of(chain.owner, chain.words(), first),
                            .kernel_leaf = is_kernel_mode(first.mode),
                            .context = context});
  }

  // Of a part that is not wanted.
  void note_entries(const CallchainOwner& owner, const reader::CallchainPart& part) {
    if (!stack_.needs_entries() || !is_kernel_mode(part.mode)) return;
    for (std::size_t i = 0; i < part.addresses.size(); ++i) {
      const bool return_address = i != 0 || !part.starts_a_call;
      AddressTable& known = addresses_.of(address_context(owner, part, return_address));
      stack_.enter(name(known, owner, part, part.addresses[i], return_address).kernel_entry());
    }
  }

  void name_addresses(const CallchainOwner& owner, const reader::CallchainPart& part) {
    named_.resize(part.addresses.size());
    entries_.clear();
    const std::size_t instructions = part.starts_a_call ? 1 : 0;
    FrameId all_bits = name_some(owner, with_note(owner, part), 0, instructions, false);
    all_bits |= name_some(owner, part, instructions, named_.size(), true);

    const bool kernel = is_kernel_mode(part.mode);
    if (all_bits < FrameNamer::Named::groups && entries_.empty()) return stack_.add(named_, kernel);
    auto entry = entries_.begin();
    for (std::size_t i = 0; i < named_.size(); ++i) {
      if (named_[i] < FrameNamer::Named::groups) {
        stack_.add(named_[i], kernel);
      } else {
        stack_.add(owner_.namer_.group(named_[i]), kernel);
      }
      if (entry != entries_.end() && entry->first == i) stack_.enter((entry++)->second);
    }
  }

  // Fills a part of named_, and adds to entries_. Returns the bitwise or of all frames filled in.
  FrameId name_some(const CallchainOwner& owner, const reader::CallchainPart& part, std::size_t from, std::size_t to,
                    bool return_addresses) {
    if (from == to) return 0;
    AddressTable& known = addresses_.of(address_context(owner, part, return_addresses));
    FrameId all_bits = 0;
    for (std::size_t i = from; i < to; ++i) {
      const FrameNamer::Named named = name(known, owner, part, part.addresses[i], return_addresses);
      named_[i] = named.frame;
      all_bits |= named.frame;
      if (named.remark != 0) note_remark(named.remark);
      if (named.entry != 0) entries_.emplace_back(i, named.kernel_entry());
    }
    return all_bits;
  }

  FrameNamer::Named name(AddressTable& known, const CallchainOwner& owner, const reader::CallchainPart& part,
                         std::uint64_t ip, bool return_address) {
    return known.find(ip, [&] {
      const ThreadState state{.comm = owner.comm, .maps = owner.maps, .kernel_maps = owner.kernel_maps};
      return owner_.namer_.name(state, {.mode = part.mode,
                                        .ip = ip,
                                        .return_address = return_address,
                                        .note = part.note,
                                        .code_time = owner_.code_versions_.time_in(owner.code_version)});
    });
  }

  void note_remark(std::uint32_t remark) {
    const auto noted = std::ranges::find(remarked_, remark, &RemarkedFrames::remark);
    if (noted == remarked_.end()) {
      remarked_.push_back({.remark = remark, .frames = 1});
    } else {
      ++noted->frames;
    }
  }

  std::optional<FrameId> comm_frame(const CallchainOwner& who) {
    const auto [known, is_new] = comms_.try_emplace({who.comm, who.pid, who.tid});
    if (!is_new) return known->second;
    const std::uint32_t comm = options_.cgroup ? owner_.thread_cgroups_.pair(who.comm).comm : who.comm;
    const std::string text = thread_frame(timeline_.comm(who.tid, {.comm = comm}), who.pid, who.tid, options_);
    if (!text.empty()) known->second = owner_.profile_.frames().intern(text, {.kind = FrameKind::thread});
    return known->second;
  }

  FrameId cgroup_frame(const CallchainOwner& who) {
    const std::string_view path = timeline_.cgroup(owner_.thread_cgroups_.pair(who.comm).cgroup);
    const std::string text = path.empty() ? "[unknown cgroup]" : foldable(path);
    return owner_.profile_.frames().intern(text, {.kind = FrameKind::cgroup});
  }

  StackCollector& owner_;
  Share& share_;
  const StackOptions& options_;
  const reader::Timeline& timeline_;
  CodeVersionFinder code_versions_;
  ResolvedSample resolved_;
  const std::unique_ptr<SampleFilter> filter_;  // nullptr: all samples are kept
  ThreadCgroupCache thread_cgroups_;
  AddressTables addresses_;
  std::vector<std::optional<EventId>> events_;  // by Event::index
  std::map<std::array<std::int64_t, 3>, std::optional<FrameId>> comms_;
  struct ContextKey {
    std::uint64_t ids = 0;  // pid and tid
    std::uint64_t cgroup = 0;
    std::uint32_t comm = 0;     // reader::NameId
    std::uint32_t numbers = 0;  // see numbers_of()
    auto operator<=>(const ContextKey&) const = default;
  };
  SampleValues values_;
  std::vector<std::optional<filter::Number>> numbers_;  // of the current sample: see SampleContext
  std::map<std::vector<std::optional<filter::Number>>, std::uint32_t> places_of_numbers_;
  std::map<ContextKey, std::uint32_t> contexts_;                                        // of rows
  std::map<ContextKey, std::uint32_t>::const_iterator last_context_ = contexts_.end();  // of the sample before
  StackBuilder stack_;
  StackEndFinder ends_;
  const FrameId truncated_;
  std::vector<FrameId> named_;                                        // of the current part's addresses
  std::vector<std::pair<std::size_t, filter::KernelEntry>> entries_;  // of these, by the index
  std::vector<RemarkedFrames> remarked_;                              // of the current callers
};

StackCollector::StackCollector(reader::Recording& recording, symbolize::Symbolizer& symbolizer, Profile& profile,
                               StackOptions options, KeepEvent keep, const filter::Filter& filter)
    : recording_(recording),
      profile_(profile),
      options_(with_entries(std::move(options))),
      keep_(std::move(keep)),
      filter_(recording, symbolizer, filter, {.max_frames = options_.unwind.max_frames}),
      namer_(recording.timeline(), symbolizer, profile.frames(), options_.frames),
      ends_(recording.timeline(), symbolizer),
      code_versions_(recording, symbolizer),
      unwind_(options_.unwind) {
  if (options_.shape.interrupts == Interrupts::apart)
    interrupt_frames_.emplace(profile.frames(), options_.frames.detail);
  unwind_.symbolizer = &symbolizer;
  unwind_.code_versions = &code_versions_;
}

void StackCollector::collect(unsigned threads) {
  filter_.prepare(threads);
  CallchainTable table(threads);
  std::deque<Share> shares;  // which keep their addresses
  const Grain rows_of = grain();
  if (rows_ != nullptr && rows_of == Grain::sample) rows_->expect(recording_.stats().samples(), threads);
  const auto new_worker = [&](unsigned) {
    const std::lock_guard lock(mutex_);
    return std::make_unique<Worker>(*this, shares.emplace_back(table, profile_, rows_of, rows_));
  };
  recording_.visit_samples(unwind_.repair || filter_.needs_order(), threads, new_worker);
  add_stacks(shares, threads);
  if (rows_ != nullptr) add_rows(shares, threads);
  for (const Share& share : shares) counts_.add(share.counts);
}

void StackCollector::add_stacks(std::deque<Share>& shares, unsigned threads) const {
  std::vector<const Share::NamedCallers*> callers;  // by the number of the callchain
  for (Share& share : shares) {
    for (std::size_t i = 0; i < share.named.size(); ++i) {
      const std::uint32_t number = share.callchains.callchains()[i].number;
      if (callers.size() <= number) callers.resize(number + 1);
      callers[number] = &share.named[i];
    }
  }
  const Share::Naming naming{
      .options = options_, .namer = namer_, .interrupts = interrupt_frames_ ? &*interrupt_frames_ : nullptr};
  for_each_task(threads, shares.size(), [&](std::size_t i) { shares[i].add_stacks(callers, naming); });
}

// Samples without the wanted part of stacks, or in interrupts, become no rows, and their times do not count. Sums have
// no times that could be left out.
Grain StackCollector::grain() const {
  const bool keeps_all = options_.shape.part == StackPart::all && options_.shape.interrupts != Interrupts::drop;
  return rows_ != nullptr && keeps_all ? rows_->shape().grain : Grain::sample;
}

void StackCollector::add_rows(std::deque<Share>& shares, unsigned threads) {
  if (grain() == Grain::context) {
    add_sums(shares, threads);
  } else {
    add_samples(shares, threads);
  }
  for (const Share& share : shares) {
    sampled_time_.add(share.time());
    for (const std::int32_t pid : share.processes) name_process(pid);
  }
}

void StackCollector::add_samples(std::deque<Share>& shares, unsigned threads) const {
  std::vector<const TableBuilder::Part*> parts;
  for (const Share& share : shares) parts.push_back(&*share.samples);
  for_each_task(threads, shares.size(), [&](std::size_t i) { shares[i].finish_samples(); });
  rows_->join(parts);
}

void StackCollector::add_sums(const std::deque<Share>& shares, unsigned threads) const {
  std::vector<std::size_t> begins;
  std::size_t sums = 0;
  for (const Share& share : shares) {
    begins.push_back(sums);
    sums += share.sums->all().size();
  }
  const std::span<SumRow> room = rows_->room_for_sums(sums);
  for_each_task(threads, shares.size(), [&](std::size_t i) { shares[i].write_sums(room.subspan(begins[i])); });
}

void StackCollector::name_process(std::int32_t pid) const {
  const reader::Timeline& timeline = recording_.timeline();
  const ThreadState leader = timeline.thread(pid, pid, reader::end_of_time);
  if (leader.comm != 0) rows_->name_process(pid, timeline.comm(pid, leader));
}

}  // namespace perfsift::analysis
