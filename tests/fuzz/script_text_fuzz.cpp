// The text of perf script, as all commands read it: samples become stacks, and each sample is counted once. The text is
// also read as stackcollapse-perf.pl reads it.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "analysis/collect/text_collector.h"
#include "analysis/input/line_splitter.h"
#include "analysis/input/stackcollapse_perf.h"
#include "tests/fuzz/profile_sums.h"

using namespace perfsift;

namespace {

// The first byte selects how frames are made.
analysis::StackOptions stack_options(std::uint8_t choice) {
  analysis::StackOptions options;
  options.frames.detail = static_cast<analysis::FrameDetail>(choice % 4);
  options.comm = (choice & 4) != 0;
  options.names_no_stack = (choice & 8) != 0;
  return options;
}

void collect(std::string_view text, std::uint8_t choice) {
  const analysis::StackOptions options = stack_options(choice);
  analysis::Profile profile;
  analysis::TableBuilder rows;
  analysis::ScriptTextCollector collector(profile, options, [](std::string_view event) { return std::string(event); });
  collector.add_rows_to(rows);
  analysis::LineSplitter lines([&](std::string_view line) { collector.line(line); });
  const std::size_t half = text.size() / 2;  // lines may be in two pieces
  lines.feed(text.substr(0, half));
  lines.feed(text.substr(half));
  lines.finish();
  collector.finish();
  const test::ProfileSums sums = test::sums_of(profile);
  if (collector.kept() > collector.stats().samples) __builtin_trap();
  if (sums.stacks.samples + sums.frameless.samples != collector.kept()) __builtin_trap();
  const analysis::SampleTable table = std::move(rows).seal(profile);
  if (table.samples().size() > collector.stats().samples) __builtin_trap();
  for (const analysis::SampleRow& sample : table.samples()) {
    if (sample.stack != analysis::SampleRow::no_stack && sample.stack >= profile.stack_count()) __builtin_trap();
  }
}

// The options of the script, and its output: every line is a stack and a count.
void collapse(std::string_view text, std::uint8_t choice) {
  const analysis::StackcollapseOptions options{.pid = (choice & 1) != 0,
                                               .tid = (choice & 2) != 0,
                                               .kernel = (choice & 4) != 0,
                                               .jit = (choice & 8) != 0,
                                               .addrs = (choice & 16) != 0,
                                               .srcline = (choice & 32) != 0,
                                               .event_filter = {}};
  analysis::StackcollapsePerf collapse(options, [](std::string_view) {});
  analysis::LineSplitter lines([&](std::string_view line) { collapse.line(line); });
  lines.feed(text);
  lines.finish();
  collapse.write([](std::string_view line) {
    if (line.find(' ') == std::string_view::npos || line.find('\n') != std::string_view::npos) __builtin_trap();
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  collect(text, data[0]);
  collapse(text, data[0]);
  return 0;
}
