#include "analysis/collect/stack_collector.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include "analysis/collect/callchain_table.h"
#include "analysis/collect/context_sums.h"
#include "analysis/collect/stack_share.h"
#include "analysis/profile/quality.h"
#include "analysis/samples/address_context.h"
#include "analysis/samples/address_table.h"
#include "analysis/samples/call_stack.h"
#include "analysis/samples/resolved_sample.h"
#include "analysis/samples/sample_values.h"
#include "base/share_work.h"
#include "reader/callchain.h"

namespace perfsift::analysis {
namespace {

using reader::CpuMode;
using reader::Sample;
using reader::ThreadState;

constexpr EventId left_out = ~EventId{0};

StackOptions with_entries(StackOptions options) {
  options.frames.kernel_entries = options.shape.interrupts != Interrupts::keep;
  return options;
}

}  // namespace

// Counts samples by callers and leaf, and names both.
class StackCollector::Worker : public reader::SampleVisitor {
 public:
  Worker(StackCollector& owner, StackShare& share)
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
    addresses_.prefetch(sample.ip);  // the leaf's, which is named below
    const ThreadState& state = resolved_.thread();
    const CallStack::Stack& stack = resolved_.stack();
    if (stack.truncated) ++share_.counts.truncated;
    const CallchainOwner who{.comm = name_of(state, sample),
                             .maps = state.maps,
                             .kernel_maps = state.kernel_maps,
                             .pid = options_.pid || options_.tid ? sample.pid : 0,
                             .tid = needs_tid(state) ? sample.tid : 0,
                             .event = event,
                             .tail = static_cast<std::uint32_t>(stack.tail),
                             .mode = static_cast<std::uint32_t>(stack.leaf().mode),
                             .note = note_number(stack.leaf().note),
                             .code_version = code_versions_.of(state, sample.time)};
    if (is_short(stack.callers())) share_.counts.ends.add(ends_.of(who, stack.words(), first_part(sample)), 1);
    const std::uint64_t value = weight_of(sample, options_.weight);
    const std::uint32_t leaf = leaf_frame(who, stack.leaf());
    std::uint32_t* const counted = owner_.rows_ != nullptr ? add_row(sample, event, leaf, value) : nullptr;
    share_.callchains.add(who, stack.callers(), stack.callers_last(), leaf, value, counted);
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

  // The number of the thread's name. With the option cgroup, the number of the pair of name and control group.
  std::uint32_t name_of(const ThreadState& state, const Sample& sample) {
    const std::uint32_t comm = options_.comm ? state.comm : 0;
    return options_.cgroup ? thread_cgroups_.number({.comm = comm, .cgroup = sample.cgroup}) : comm;
  }

  // The end of a short stack depends on its leaf, so it is found for each sample. The end of a longer stack is found
  // once per callchain.
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

  // The address that gets the sample's count, or, if samples are added up, the number of its callchain.
  std::uint32_t* add_row(const Sample& sample, EventId event, std::uint32_t leaf, std::uint64_t value) {
    const auto mode = static_cast<std::uint32_t>(sample.cpumode);
    if (share_.sums) {
      if (share_.sums->is_full()) {
        share_.callchains.look_up_rest();  // so that all samples have the numbers of their callchains
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

  // Fills numbers_. Returns the place of numbers_ among the numbers of all samples. 0 if rows have no numbers.
  std::uint32_t numbers_of(const Sample& sample) {
    const std::vector<filter::Fact>& wanted = owner_.rows_->shape().numbers;
    if (wanted.empty()) return 0;
    numbers_.clear();
    for (const filter::Fact number : wanted) numbers_.push_back(values_.number(sample, number));
    return places_of_numbers_.try_emplace(numbers_, static_cast<std::uint32_t>(places_of_numbers_.size()))
        .first->second;
  }

  // The number of the leaf's frame, as in FrameNamer::Named, or no_leaf.
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

  // Adds a note to the first frame of a part if its callers were found by frame pointers only.
  static reader::CallchainPart with_note(const CallchainOwner& owner, reader::CallchainPart part) {
    const bool by_frame_pointers = static_cast<StackTail>(owner.tail) == StackTail::by_frame_pointers;
    const bool found = part.note == reader::callchain_note::found;
    if (by_frame_pointers && found && part.mode == CpuMode::user)
      part.note = reader::callchain_note::before_frame_pointers;
    return part;
  }

  // Names new callers while their words are in the processor's cache.
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

  // Notes the entries into the kernel of a part that is not wanted.
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

  // Fills a part of named_, and adds to entries_. Returns the bitwise OR of the new frames.
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
  StackShare& share_;
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
  std::vector<std::optional<filter::Number>> numbers_;  // numbers of the current sample: see SampleContext
  std::map<std::vector<std::optional<filter::Number>>, std::uint32_t> places_of_numbers_;
  std::map<ContextKey, std::uint32_t> contexts_;                                        // contexts of rows
  std::map<ContextKey, std::uint32_t>::const_iterator last_context_ = contexts_.end();  // of the last sample
  StackBuilder stack_;
  StackEndFinder ends_;
  const FrameId truncated_;
  std::vector<FrameId> named_;                                        // the frames of the current part's addresses
  std::vector<std::pair<std::size_t, filter::KernelEntry>> entries_;  // entries of named_
  std::vector<RemarkedFrames> remarked_;                              // remarks on the current callers
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
  std::deque<StackShare> shares;  // a deque, because shares must keep their addresses
  const Grain rows_of = grain();
  if (rows_ != nullptr && rows_of == Grain::sample) rows_->expect(recording_.stats().samples(), threads);
  const auto new_worker = [&](unsigned) {
    const std::lock_guard lock(mutex_);
    return std::make_unique<Worker>(*this, shares.emplace_back(table, profile_, rows_of, rows_));
  };
  recording_.visit_samples(unwind_.repair || filter_.needs_order(), threads, new_worker);
  add_stacks(shares, threads);
  if (rows_ != nullptr) add_rows(shares, threads);
  for (const StackShare& share : shares) counts_.add(share.counts);
}

void StackCollector::add_stacks(std::deque<StackShare>& shares, unsigned threads) const {
  std::vector<const StackShare::NamedCallers*> callers;  // by the number of the callchain
  for (StackShare& share : shares) {
    for (std::size_t i = 0; i < share.named.size(); ++i) {
      const std::uint32_t number = share.callchains.callchains()[i].number;
      if (callers.size() <= number) callers.resize(number + 1);
      callers[number] = &share.named[i];
    }
  }
  const StackShare::Naming naming{
      .options = options_, .namer = namer_, .interrupts = interrupt_frames_ ? &*interrupt_frames_ : nullptr};
  for_each_task(threads, shares.size(), [&](std::size_t i) { shares[i].add_stacks(callers, naming); });
}

// Samples without a frame of the wanted part, or in interrupts that are left out, become no rows, and their times must
// not count. A sum has no single times that could be left out.
Grain StackCollector::grain() const {
  const bool keeps_all = options_.shape.part == StackPart::all && options_.shape.interrupts != Interrupts::drop;
  return rows_ != nullptr && keeps_all ? rows_->shape().grain : Grain::sample;
}

void StackCollector::add_rows(std::deque<StackShare>& shares, unsigned threads) {
  if (grain() == Grain::context) {
    add_sums(shares, threads);
  } else {
    add_samples(shares, threads);
  }
  for (const StackShare& share : shares) {
    sampled_time_.add(share.time());
    for (const std::int32_t pid : share.processes) name_process(pid);
  }
}

void StackCollector::add_samples(std::deque<StackShare>& shares, unsigned threads) const {
  std::vector<TableBuilder::Part*> parts;
  for (StackShare& share : shares) parts.push_back(&*share.samples);
  for_each_task(threads, shares.size(), [&](std::size_t i) { shares[i].finish_samples(); });
  rows_->join(parts);
}

void StackCollector::add_sums(const std::deque<StackShare>& shares, unsigned threads) const {
  std::vector<std::size_t> begins;
  std::size_t sums = 0;
  for (const StackShare& share : shares) {
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
