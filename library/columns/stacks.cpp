#include "library/columns/stacks.h"

#include <perfsift/columns.h>

#include "base/copy_span.h"
#include "base/hash.h"
#include "base/share_work.h"
#include "reader/callchain.h"

namespace perfsift::v0::detail {

using analysis::FrameId;

FramesHash FramesHash::with(FrameId frame) const {
  return {.place = mix(place ^ odd_1, frame ^ odd_2), .check = mix(check ^ odd_3, frame ^ odd_1)};
}

FramesHash FramesHash::with(std::span<const FrameId> frames) const {
  FramesHash hash = *this;
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) hash = hash.with(*frame);
  return hash;
}

Stacks::Stacks(Naming& naming, unsigned threads) : naming_(naming), names_(naming), callchains_(threads) {}
Stacks::~Stacks() = default;

Stacks::Collector& Stacks::new_collector() {
  const std::lock_guard lock(mutex_);
  return collectors_.emplace_back(*this);
}

void Stacks::finish(unsigned workers) {
  std::uint32_t size = 0;
  std::vector<const Collector*> all;
  for (const Collector& collector : collectors_) {
    all.push_back(&collector);
    first_numbers_.push_back(size);
    size += collector.size();
  }
  for (const Collector& collector : collectors_) {
    for (std::size_t i = 0; i < collector.named_.size(); ++i) {
      const std::uint32_t number = collector.counter_.callchains()[i].number;
      if (callers_.size() <= number) callers_.resize(number + 1);
      callers_[number] = collector.named_[i];
    }
  }
  pairs_.resize(size);
  hashes_.resize(size);
  for_each_task(workers, all.size(), [&](std::size_t i) {
    std::uint32_t number = first_numbers_[i];
    all[i]->counter_.for_each_count([&](const analysis::LeafCount& count) {
      pairs_[number] = {.callchain = count.callchain, .leaf = count.leaf};
      hashes_[number] = hash_of(pairs_[number]);
      ++number;
    });
  });
}

FramesHash Stacks::hash_of(const Pair& pair) const {
  FramesHash hash = callers_[pair.callchain].hash;
  if (pair.leaf < analysis::FrameNamer::Named::groups) return hash.with(pair.leaf);
  return hash.with(names_->namer().group(pair.leaf));
}

Stacks::Collector::Collector(Stacks& owner)
    : names_(owner.names()),
      counter_(owner.callchains_.new_counter()),
      namer_(names_.namer(), owner.naming_.versions()) {}

std::uint32_t Stacks::Collector::add(const reader::ThreadState& thread, const analysis::CallStack::Stack& stack,
                                     std::uint32_t code_version) {
  if (stack.leaf().addresses.empty()) return Columns::no_stack;
  const analysis::CallchainOwner owner{.maps = thread.maps,
                                       .kernel_maps = thread.kernel_maps,
                                       .mode = static_cast<std::uint32_t>(stack.leaf().mode),
                                       .note = analysis::note_number(stack.leaf().note),
                                       .code_version = code_version};
  const auto leaf = namer_.name(owner, stack.leaf(), stack.leaf().addresses.front(), false);
  const auto number = static_cast<std::uint32_t>(counted_.size());
  counter_.add(owner, stack.callers(), stack.callers_last(), leaf.frame, 0, &counted_.push_back({}));
  name_new_callers();
  return number;
}

void Stacks::Collector::finish() {
  counter_.look_up_rest();
  name_new_callers();
}

void Stacks::Collector::name_new_callers() {
  const auto& all = counter_.callchains();
  while (named_.size() < all.size()) named_.push_back(name(all[named_.size()]));
}

Stacks::Callers Stacks::Collector::name(const analysis::KnownCallchain& callchain) {
  const reader::CallchainPart first{.mode = static_cast<reader::CpuMode>(callchain.owner.mode),
                                    .note = analysis::note_of(callchain.owner.note)};
  frames_.clear();
  reader::for_each_part(callchain.words(), first,
                        [&](const reader::CallchainPart& part) { namer_.append(callchain.owner, part, frames_); });
  if (reader::is_noted_truncated(callchain.words())) frames_.push_back(names_.table().intern("[truncated]"));
  const std::span<const FrameId> frames = copy_span(std::span<const FrameId>(frames_), memory_);
  return {.frames = frames, .hash = FramesHash{.place = odd_1, .check = odd_2}.with(frames)};
}

}  // namespace perfsift::v0::detail
