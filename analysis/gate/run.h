// What a gate knows about a recording: samples by stack and time block, the quality, and where the recording was made.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/gate/stack_table.h"
#include "analysis/input/compiled_binaries.h"
#include "analysis/input/recording_description.h"
#include "analysis/profile/quality.h"
#include "analysis/table/sample_table.h"

namespace perfsift::analysis {

// Where and how a recording was made. Empty texts and absent numbers are not known, and are compared with nothing.
struct Environment {
  std::string hostname, kernel, machine, cpu;
  std::optional<std::uint32_t> cpus;
  std::vector<EventSetting> events;
  std::string command;        // that was recorded
  CompiledBinaries compiled;  // nothing of binaries whose debug information was not there
  bool operator==(const Environment&) const = default;
};

// Of a recording.
Environment environment_of(const RecordingDescription& description, const CompiledBinaries& compiled);

// The equally long parts of the time from a recording's first to its last sample.
struct TimeBlocks {
  static constexpr std::uint32_t count = 64;

  std::uint64_t first = reader::no_time, last = 0;  // first > last: no sample has a time

  bool any() const { return first <= last; }
  // The block of a time from first to last.
  std::uint32_t block_of(std::uint64_t time) const;
};
// Of the samples of one event.
TimeBlocks time_blocks(std::span<const SampleRow> samples, EventId event);

// The samples of one stack in one time block.
struct BlockCount {
  std::uint32_t stack = 0;  // in the GateStacks of both sides
  std::uint32_t block = 0;
  std::uint64_t samples = 0;
  bool operator==(const BlockCount&) const = default;
};

// One recording, or one stored run.
struct Run {
  std::string name;                        // the path of the input
  std::optional<Environment> environment;  // nothing: the input does not tell, as text does not
  std::optional<Quality> quality;          // nothing: the input does not tell
  std::uint64_t throttled = 0;             // stretches of time in which the kernel stopped the event
  bool damaged = false;                    // a part of the input could not be read
  std::uint32_t blocks = 1;                // TimeBlocks::count, or 1 without times
  std::vector<BlockCount> counts;          // by stack, then by block; no count of 0
  std::uint64_t interrupts = 0;            // samples that without_interrupts() took out of the counts
  std::optional<std::uint64_t> stored_at;  // nanoseconds since 1970, of a run that perfsift check stored

  std::uint64_t samples() const;
};

// One side of a comparison: repeats of the same measurement. The stacks of both sides are in one GateStacks.
struct GateSide {
  std::vector<Run> runs;
  // By run: the number of its build, without gaps. The runs of one build differ less than those of several, so that
  // together they are one repeat. Empty: each run is a repeat.
  std::vector<std::size_t> builds;

  std::uint64_t samples() const;
  std::uint64_t interrupts() const;
  std::size_t repeats() const { return builds.empty() ? runs.size() : builds.back() + 1; }
  std::size_t repeat_of(std::size_t run) const { return builds.empty() ? run : builds[run]; }
};

// Sets blocks and counts of the run: the table's samples of one event.
void count_samples(const SampleTable& table, EventId event, const GateStacks& stacks, Run& run);
// What runs in interrupts is the work of devices and of other programs: their load says nothing about this program.
GateSide without_interrupts(GateSide side, const GateStacks& stacks);

}  // namespace perfsift::analysis
