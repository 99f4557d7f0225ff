// One line of `perf script` text: a sample's header, or a frame of its callchain.
//
// perf prints fields for human readers: no separators, padding that depends on the option, names that may contain
// anything. Only the order of the fields (perf_sample__fprintf_start() and process_event() in builtin-script.c) and the
// shape of a few fields are certain. So a header is read from these: first the time or the event in the middle, then
// the numbers before it, from right to left; the rest on the left is the thread's name.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace perfsift::analysis {

// Views point into the line.
struct ScriptFrame {
  // The printed number: for user code in callchains, perf up to 6.10 prints the offset in the file.
  std::uint64_t address = 0;
  std::string_view symbol;              // empty where perf printed [unknown] or no symbol
  std::optional<std::uint64_t> offset;  // from the symbol's start
  std::string_view dso;                 // empty where perf printed [unknown], (inlined) or no dso
  std::string_view source_line;         // "file.c:12"
  bool inlined = false;
};

// Fields that were not printed are empty.
struct ScriptHeader {
  std::string_view comm;
  std::optional<std::int32_t> pid;  // -1 after the process has exited
  std::optional<std::int32_t> tid;  // a single number is taken for the tid
  std::optional<std::uint32_t> cpu;
  std::optional<std::uint64_t> time;  // nanoseconds
  std::optional<std::uint64_t> period;
  std::string_view event;
  std::string_view trace;            // a tracepoint's fields, as perf formats them
  std::string_view after_event;      // everything after the event: `trace`, then `frame`
  std::optional<ScriptFrame> frame;  // a sample without a callchain has its single frame on this line
  // PERF_RECORD_… printed by --show-mmap-events and similar options: not a sample.
  bool record = false;
  // False where the line was recognized only by a shape that any text may have.
  bool certain = false;
};

// Nothing when no field is recognized. Leading white space is not examined.
std::optional<ScriptHeader> parse_script_header(std::string_view line);

// A line of a callchain: white space, address, symbol, (dso). Nothing when the line does not begin with an address.
std::optional<ScriptFrame> parse_script_frame(std::string_view line);

}  // namespace perfsift::analysis
