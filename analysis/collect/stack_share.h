// The stacks, rows of samples, and counts that one thread of a StackCollector collects.
#pragma once

#include <cstdint>
#include <map>
#include <memory_resource>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "analysis/collect/callchain_table.h"
#include "analysis/collect/collect_counts.h"
#include "analysis/collect/context_sums.h"
#include "analysis/profile/profile.h"
#include "analysis/samples/frame_namer.h"
#include "analysis/samples/stack_builder.h"
#include "analysis/samples/stack_options.h"
#include "analysis/table/table_builder.h"
#include "base/copy_span.h"

namespace perfsift::analysis {

// The number of a leaf without a frame in the wanted part. The numbers just below `no_leaf` also say by which function
// the kernel was entered.
inline constexpr FrameId no_leaf = ~FrameId{0};
inline constexpr FrameId first_no_leaf = no_leaf - static_cast<FrameId>(filter::KernelEntry::nmi);
constexpr FrameId no_leaf_of(std::uint32_t entry) { return no_leaf - entry; }
constexpr bool is_leaf(FrameId leaf) { return leaf < first_no_leaf; }

// The number of frames of a callchain with one of FrameNamer::remarks().
struct RemarkedFrames {
  std::uint32_t remark = 0;
  std::uint32_t frames = 0;
};

// The results of one thread: its counts, and the frames of the callers that the thread saw first.
class StackShare {
 public:
  // The frames of a callchain of callers.
  struct NamedCallers {
    CallersId callers;  // the root is the thread's name
    std::span<const RemarkedFrames> remarked;
    std::uint32_t room = 0;             // the number of frames of a leaf that still fit
    std::uint32_t addresses = 0;        // the number of addresses in the wanted part of the callchain
    std::uint32_t end = 0;              // see StackEnds; 0: complete, or counted with the leaf
    bool kernel_leaf = false;           // the leaves are in the kernel
    filter::StackContext context = {};  // set if the options need the context
  };
  // The parts of the collector that add_stacks() needs.
  struct Naming {
    const StackOptions& options;
    const FrameNamer& namer;
    const InterruptFrames* interrupts;  // nullptr: interrupts are not shown separately
  };

  // `rows`: nullptr if no rows are wanted.
  StackShare(CallchainTable& table, Profile& profile, Grain grain, TableBuilder* rows)
      : callchains(table.new_counter(rows != nullptr && grain == Grain::context ? Counting::later : Counting::at_once)),
        stacks(profile.new_list()),
        profile_(profile) {
    if (rows == nullptr) return;
    if (grain == Grain::sample) samples.emplace(*rows);
    if (grain == Grain::context) sums.emplace();
  }

  // Counts the samples that were added up. Must be called once, after all of them have been added.
  void count_sums();

  std::span<const RemarkedFrames> copy(std::span<const RemarkedFrames> some) { return copy_span(some, memory_); }

  // Turns the counts of this thread into stacks. All threads must have counted all samples. `all`: the callers by the
  // number of the callchain.
  void add_stacks(const std::vector<const NamedCallers*>& all, const Naming& naming);

  // Gives the samples their stacks. All threads must have added all stacks.
  void finish_samples();
  // Writes one row per sum. All threads must have added all stacks.
  void write_sums(std::span<SumRow> to) const;
  // The time range of all rows.
  TimeSpan time() const { return samples ? samples->summary().times() : summed_time; }

  CallchainTable::Counter& callchains;
  StackList& stacks;
  StableVector<NamedCallers> named;  // one for each of callchains.callchains()
  // The leaves by which the kernel was entered, if the options need entries.
  std::map<FrameId, filter::KernelEntry> entries;
  CollectCounts counts;
  std::set<std::int32_t> processes;  // processes of the rows
  // One of these two has a value if rows are wanted.
  std::optional<TableBuilder::Part> samples;  // the stack of each: CountId::bits(), until finish_samples()
  std::optional<ContextSums> sums;
  TimeSpan summed_time;  // the time range of the samples in `sums`

 private:
  using Counting = CallchainTable::Counting;
  using Stacks = LargeVector<std::uint32_t>;  // by count: the index of its stack in `stacks`, or SampleRow::no_stack

  // The stacks of the counts, if rows are wanted.
  Stacks add_stacks(const StableVector<LeafCount>& counted, const std::vector<const NamedCallers*>& all,
                    const Naming& naming);
  // Whether nothing remains of the stack: no frame is in the wanted part, or an interrupt is left out.
  bool is_unwanted(const LeafCount& count, const NamedCallers& below, const StackOptions& options);
  filter::StackContext context_of(const LeafCount& count, const NamedCallers& below) const;
  void add_stack(const LeafCount& count, const NamedCallers& below, const Naming& naming);
  // Adds the stack of an interrupt that begins with the leaf. Its callers are only those of an interrupt.
  bool add_apart(const LeafCount& count, const NamedCallers& below, const Naming& naming);

  const Profile& profile_;
  std::vector<FrameId> frames_;  // the frames of the current stack
  Stacks of_first_counts_, of_other_counts_;
  std::pmr::monotonic_buffer_resource memory_;
};

}  // namespace perfsift::analysis
