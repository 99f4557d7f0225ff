#include "analysis/gate/run.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/large_vector.h"

namespace perfsift::analysis {
namespace {

std::uint32_t stack_of(const GateStacks& stacks, std::uint32_t in_profile) {
  return in_profile == SampleRow::no_stack ? GateStacks::no_frames : stacks.stack_of(in_profile);
}

// Samples with a time, added up by stack and block: sorted by stack in one pass, as there are many samples and few
// stacks.
void add_samples(const SampleTable& table, EventId event, const GateStacks& stacks, const TimeBlocks& times, Run& run) {
  const auto wanted = [&](const SampleRow& sample) { return sample.event == event; };
  LargeVector<std::uint32_t> ends(stacks.size() + 1);
  for (const SampleRow& sample : table.samples()) {
    if (wanted(sample)) ++ends[stack_of(stacks, sample.stack) + 1];
  }
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  LargeVector<std::uint8_t> blocks(ends.back());
  static_assert(TimeBlocks::count <= 256);
  LargeVector<std::uint32_t> next(ends.begin(), ends.end() - 1);
  for (const SampleRow& sample : table.samples()) {
    if (!wanted(sample)) continue;
    const bool timed = sample.time != reader::no_time && times.any();
    blocks[next[stack_of(stacks, sample.stack)]++] = static_cast<std::uint8_t>(timed ? times.block_of(sample.time) : 0);
  }
  for (std::uint32_t stack = 0; stack < stacks.size(); ++stack) {
    std::array<std::uint64_t, TimeBlocks::count> counts{};
    for (std::uint32_t i = ends[stack]; i < ends[stack + 1]; ++i) ++counts[blocks[i]];
    for (std::uint32_t block = 0; block < run.blocks; ++block) {
      if (counts[block] != 0) run.counts.push_back({.stack = stack, .block = block, .samples = counts[block]});
    }
  }
}

// Sums have no times: they are counts of one block.
void add_sums(const SampleTable& table, EventId event, const GateStacks& stacks, Run& run) {
  std::vector<std::uint64_t> by_stack(stacks.size());
  for (const SumRow& sum : table.sums()) {
    if (sum.event == event) by_stack[stack_of(stacks, sum.stack)] += sum.amount.samples;
  }
  for (std::uint32_t stack = 0; stack < by_stack.size(); ++stack) {
    if (by_stack[stack] != 0) run.counts.push_back({.stack = stack, .block = 0, .samples = by_stack[stack]});
  }
}

}  // namespace

Environment environment_of(const RecordingDescription& description, const CompiledBinaries& compiled) {
  return {.hostname = description.hostname,
          .kernel = description.kernel,
          .machine = description.machine,
          .cpu = description.cpu,
          .cpus = description.cpus_online,
          .events = description.events,
          .command = fmt::format("{}", fmt::join(description.command, " ")),
          .compiled = compiled};
}

std::uint32_t TimeBlocks::block_of(std::uint64_t time) const {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint32_t>(Wide{time - first} * count / (Wide{last - first} + 1));
}

TimeBlocks time_blocks(std::span<const SampleRow> samples, EventId event) {
  TimeBlocks blocks;
  for (const SampleRow& sample : samples) {
    if (sample.event != event || sample.time == reader::no_time) continue;
    blocks.first = std::min(blocks.first, sample.time);
    blocks.last = std::max(blocks.last, sample.time);
  }
  return blocks;
}

std::uint64_t Run::samples() const {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const BlockCount& count) { return sum + count.samples; });
}

std::uint64_t GateSide::samples() const {
  return std::accumulate(runs.begin(), runs.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Run& run) { return sum + run.samples(); });
}

std::uint64_t GateSide::interrupts() const {
  return std::accumulate(runs.begin(), runs.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Run& run) { return sum + run.interrupts; });
}

GateSide without_interrupts(GateSide side, const GateStacks& stacks) {
  for (Run& run : side.runs) {
    const std::uint64_t all = run.samples();
    std::erase_if(run.counts, [&](const BlockCount& count) { return stacks.is_interrupt(count.stack); });
    run.interrupts += all - run.samples();
  }
  return side;
}

void count_samples(const SampleTable& table, EventId event, const GateStacks& stacks, Run& run) {
  run.counts.clear();
  run.blocks = 1;
  if (table.samples().empty()) return add_sums(table, event, stacks, run);
  const TimeBlocks times = time_blocks(table.samples(), event);
  if (times.any()) run.blocks = TimeBlocks::count;
  add_samples(table, event, stacks, times, run);
}

}  // namespace perfsift::analysis
