// A sample as an object of JSON, in a line: `perfsift export --to jsonl` and perfsift-jsonl.so write the same object.
//
// A line has these members in this order, each only where its value is known; perfsift-dlfilters(7) describes them:
//
//   event comm cgroup samples
//   the numbers of filter/recorded_numbers.h, by their names and in their order: pid tid cpu time addr period …
//   ip cpumode sym dso symoff                        of the code that ran
//   addr_sym addr_dso                                of the data that were accessed
//   flags insn_cnt cyc_cnt machine_pid vcpu
//   stack (a list of frames, the innermost first), stack_truncated, branches
//
// A frame has ip, cpumode, sym, dso, symoff, file, line and inlined.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "filter/sample_facts.h"
#include "output/text_writer.h"
#include "reader/format/sample.h"

namespace perfsift::output {

using Branches = std::span<const Unaligned<reader::BranchEntry>>;

// What a line has besides the facts of the sample. The parts are views of what the caller keeps.
struct SampleParts {
  std::uint64_t samples = 1;                               // more than one: the line is the sum of samples
  std::optional<std::span<const std::string_view>> stack;  // of frame_object(), the innermost frame first
  bool stack_truncated = false;
  std::optional<Branches> branches;  // the newest branch first
};

// Writes the line with its newline. Names are escaped: see printable_utf8().
void write_sample_object(filter::Facts& sample, const SampleParts& parts, TextWriter& out);

// A frame of a stack. `code` is asked for facts of code only.
std::string frame_object(filter::Facts& code, bool inlined = false);

// The word of expressions for a mode: "kernel", "guest_user"; "unknown" for what is no mode.
std::string_view cpu_mode_name(reader::CpuMode mode);

}  // namespace perfsift::output
