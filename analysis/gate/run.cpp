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
  return in_profile == LoggedSample::no_stack ? GateStacks::no_frames : stacks.stack_of(in_profile);
}

// Samples with a time, added up by stack and block: sorted by stack in one pass, as there are many samples and few
// stacks.
void add_samples(const SampleLog& log, EventId event, const GateStacks& stacks, const TimeBlocks& times, Run& run) {
  const auto wanted = [&](const LoggedSample& sample) { return sample.event == event; };
  LargeVector<std::uint32_t> ends(stacks.size() + 1);
  for (const LoggedSample& sample : log.samples()) {
    if (wanted(sample)) ++ends[stack_of(stacks, sample.stack) + 1];
  }
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  LargeVector<std::uint8_t> blocks(ends.back());
  static_assert(TimeBlocks::count <= 256);
  LargeVector<std::uint32_t> next(ends.begin(), ends.end() - 1);
  for (const LoggedSample& sample : log.samples()) {
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

// Adds counts of one block.
void add_sums(const std::vector<std::uint64_t>& by_stack, Run& run) {
  for (std::uint32_t stack = 0; stack < by_stack.size(); ++stack) {
    if (by_stack[stack] != 0) run.counts.push_back({.stack = stack, .block = 0, .samples = by_stack[stack]});
  }
}

std::vector<std::uint64_t> sums_of_log(const SampleLog& log, EventId event, const GateStacks& stacks) {
  std::vector<std::uint64_t> sums(stacks.size());
  for (const LoggedAmount& amount : log.amounts()) {
    if (amount.event == event) sums[stack_of(stacks, amount.stack)] += amount.amount.samples;
  }
  return sums;
}

std::vector<std::uint64_t> sums_of_lists(const RunSamples& samples, const GateStacks& stacks) {
  std::vector<std::uint64_t> sums(stacks.size());
  for (std::size_t list = samples.first_list; list < samples.end_list; ++list) {
    std::uint32_t number = samples.profile.first_stack(list);
    for (const StackList::Entry& entry : samples.profile.lists()[list].entries()) {
      const std::uint32_t stack = number++;
      if (samples.profile.callers(entry.callers).event == samples.event)
        sums[stacks.stack_of(stack)] += entry.amount.samples;
    }
  }
  return sums;
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

TimeBlocks time_blocks(std::span<const LoggedSample> samples, EventId event) {
  TimeBlocks blocks;
  for (const LoggedSample& sample : samples) {
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

void count_samples(const RunSamples& samples, const GateStacks& stacks, Run& run) {
  run.counts.clear();
  run.blocks = 1;
  if (!samples.log.samples().empty()) {
    const TimeBlocks times = time_blocks(samples.log.samples(), samples.event);
    if (times.any()) run.blocks = TimeBlocks::count;
    return add_samples(samples.log, samples.event, stacks, times, run);
  }
  const bool sums = !samples.log.amounts().empty();
  add_sums(sums ? sums_of_log(samples.log, samples.event, stacks) : sums_of_lists(samples, stacks), run);
}

}  // namespace perfsift::analysis
