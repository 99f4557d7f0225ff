// How far the figures of a recording can be trusted, and the limits that a user sets.
//
// Five problems stay silent: records and samples are lost, the kernel stops an event for a while, addresses get no
// name, stacks are cut, and stacks end before the start of their thread. Every command that reads samples fills a
// Quality. A QualityBudget turns the Quality into an exit status.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/samples/stack_builder.h"
#include "analysis/samples/stack_tail.h"
#include "reader/format/sample.h"
#include "reader/read_stats.h"
#include "symbolize/symbolizer.h"

namespace perfsift::analysis {

// The binary of addresses without a name, and why they have no name.
struct UnresolvedPlace {
  std::string binary;  // as recorded; "[unknown]" where nothing was mapped
  symbolize::Missing reason = symbolize::Missing::none;
  auto operator<=>(const UnresolvedPlace&) const = default;
};

// The binary in which stacks end before the start of their thread, and the reason.
struct IncompletePlace {
  std::string binary;  // of the last frame, as recorded; "[unknown]" where nothing was mapped
  StackTail reason = StackTail::complete;
  auto operator<=>(const IncompletePlace&) const = default;
};

struct Quality {
  // The contents of the recording and its own counts of losses, in the same units. A lost record may be of any type. A
  // lost sample was lost by the hardware, or, in recordings of perf 6.1 and later, is one of the lost records. So the
  // sum of all losses is lost_samples + other_lost_records().
  std::uint64_t kernel_records = 0;  // all except the records that perf itself writes (types 64 and up)
  std::uint64_t lost_records = 0;    // LOST: the ring buffer was full
  std::uint64_t sample_records = 0;
  std::uint64_t lost_samples = 0;  // LOST_SAMPLES, without samples that a BPF filter dropped on purpose
  std::uint64_t told_twice = 0;    // lost records that are also in lost_samples: see reader::Losses

  // THROTTLE: how often the kernel stopped an event that was too frequent. A stopped event has no samples.
  std::uint64_t throttled = 0;
  std::uint64_t throttled_time = 0;         // until UNTHROTTLE, nanoseconds; times of several CPUs are added
  std::uint64_t throttled_without_end = 0;  // stops without an UNTHROTTLE, which are not in the time

  // Bytes of records, and bytes that could not be read because of damage. The skipped bytes hold an unknown number of
  // records.
  std::uint64_t read_bytes = 0;
  std::uint64_t skipped_bytes = 0;

  // Counts over the samples that were read.
  std::uint64_t samples = 0;                            // as delivered: a group read counts once per member
  std::uint64_t callchains = 0;                         // samples with a stack: see has_stack()
  std::uint64_t truncated_stacks = 0;                   // cut stacks: see is_truncated(), CallStack
  std::map<IncompletePlace, std::uint64_t> incomplete;  // incomplete stacks, cut stacks included
  std::uint64_t unjudged_stacks = 0;                    // stacks not known to be complete or incomplete
  // Stacks by frame pointers in which the caller of the first user frame may be missing, because its code sets up no
  // frame. The key is the function's frame.
  std::map<std::string, std::uint64_t> lost_callers;
  std::uint64_t beyond_start = 0;                       // complete stacks with frames behind the thread's start
  std::uint64_t frames = 0;                             // frames of all these samples
  std::map<UnresolvedPlace, std::uint64_t> unresolved;  // frames without a name

  // Counted with the option that leaves out interrupts.
  InterruptCounts interrupts;

  // The input's own sentences on the quality of its recording, in the form of output::quality_lines().
  std::vector<std::string> told;

  // Adds the counts of one recording, which must be complete.
  void add_recorded(const reader::ReadStats& stats);
  void add(const Quality& other);

  std::uint64_t other_lost_records() const { return lost_records - told_twice; }
  std::uint64_t all_lost() const { return lost_samples + other_lost_records(); }
  std::uint64_t unresolved_frames() const;
  double lost_records_percent() const;            // LOST / (kernel records + LOST)
  double lost_samples_percent() const;            // LOST_SAMPLES / (SAMPLE records + LOST_SAMPLES)
  double skipped_percent() const;                 // skipped / (read + skipped)
  double unresolved_percent() const;              // of the frames
  double truncated_percent() const;               // of the samples with a callchain
  std::uint64_t stacks_without_a_caller() const;  // the sum of lost_callers
  std::uint64_t incomplete_stacks() const;
  double incomplete_percent() const;  // of the samples with a callchain
  bool incomplete_is_estimated() const;
};

// Whether the sample's stack has more than the ip.
inline bool has_stack(const reader::Sample& sample) {
  return !sample.callchain.empty() || sample.has(reader::sample_bit::stack_user);
}

// A stable word for use by programs: "file_missing".
std::string_view reason_name(symbolize::Missing reason);

// The unresolved frames by reason and file, with advice. Ends with a newline. Empty if every frame has a name.
std::string unresolved_table(const Quality& quality);
// The incomplete stacks by reason and file, the stacks that may lack the caller of their leaf, and the frames that are
// no callers. Ends with a newline.
std::string incomplete_table(const Quality& quality);

// The limits in percent of --max-lost, --max-unresolved, --max-truncated and --max-incomplete, and --fail-empty.
struct QualityBudget {
  std::optional<double> max_lost;
  std::optional<double> max_unresolved;
  std::optional<double> max_truncated;
  std::optional<double> max_incomplete;
  bool fail_empty = false;  // a result without samples fails the check: see Diagnostics::report_empty()

  bool any() const { return max_lost || max_unresolved || max_truncated || max_incomplete; }
  // One message for each exceeded limit, with the figure and the limit. max_lost limits lost records, lost samples and
  // skipped bytes separately.
  std::vector<std::string> check(const Quality& quality) const;
};

}  // namespace perfsift::analysis
