#include "analysis/collect/stack_share.h"

#include <algorithm>

namespace perfsift::analysis {
namespace {

constexpr std::size_t prefetch_ahead = 16;
// The stack of samples without a frame in the wanted part of stacks.
constexpr std::uint32_t unwanted_stack = TableBuilder::Part::unwanted;

// `leaf`: innermost first.
void append_leaf(std::span<const FrameId> leaf, std::size_t room, std::vector<FrameId>& frames) {
  const auto fitting = leaf.last(std::min(leaf.size(), room));
  frames.insert(frames.end(), fitting.rbegin(), fitting.rend());
}

}  // namespace

void StackShare::count_sums() {
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

void StackShare::add_stacks(const std::vector<const NamedCallers*>& all, const Naming& naming) {
  if (!sums) of_first_counts_ = add_stacks(callchains.first_counts(), all, naming);
  of_other_counts_ = add_stacks(callchains.other_counts(), all, naming);
}

void StackShare::finish_samples() {
  const std::uint32_t first_stack = profile_.first_stack(stacks.number());
  samples->finish([&](std::uint32_t bits) {
    const CountId count = CountId::of(bits);
    const std::uint32_t stack = (count.first != 0 ? of_first_counts_ : of_other_counts_)[count.index];
    return stack < unwanted_stack ? first_stack + stack : stack;
  });
}

void StackShare::write_sums(std::span<SumRow> to) const {
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

StackShare::Stacks StackShare::add_stacks(const StableVector<LeafCount>& counted,
                                          const std::vector<const NamedCallers*>& all, const Naming& naming) {
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

bool StackShare::is_unwanted(const LeafCount& count, const NamedCallers& below, const StackOptions& options) {
  if (options.shape.interrupts != Interrupts::keep) {
    const bool drops = options.shape.interrupts == Interrupts::drop;
    const bool interrupt = context_of(count, below).is_interrupt();
    if (drops) counts.interrupts += {.left_out = interrupt ? count.amount.samples : 0, .of = count.amount.samples};
    if (interrupt) return drops;
  }
  return below.addresses == 0 && !is_leaf(count.leaf) && options.shape.part != StackPart::all;
}

filter::StackContext StackShare::context_of(const LeafCount& count, const NamedCallers& below) const {
  filter::StackContext context = below.context;
  if (!is_leaf(count.leaf)) {
    context.enter(static_cast<filter::KernelEntry>(no_leaf - count.leaf));
  } else if (const auto entry = entries.find(count.leaf); entry != entries.end() && below.kernel_leaf) {
    context.enter(entry->second);
  }
  return context;
}

void StackShare::add_stack(const LeafCount& count, const NamedCallers& below, const Naming& naming) {
  if (naming.interrupts != nullptr && add_apart(count, below, naming)) return;
  if (count.leaf < FrameNamer::Named::groups && below.room != 0)
    return stacks.add(below.callers, count.leaf, count.amount);
  const Callers& callers = profile_.callers(below.callers);
  frames_.assign(callers.frames.begin(), callers.frames.end());
  if (is_leaf(count.leaf) && below.room != 0) append_leaf(naming.namer.group(count.leaf), below.room, frames_);
  stacks.add(callers.event, frames_, count.amount);
}

bool StackShare::add_apart(const LeafCount& count, const NamedCallers& below, const Naming& naming) {
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

}  // namespace perfsift::analysis
