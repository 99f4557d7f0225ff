// perfsift c2c: the cache lines that threads share, and whether threads share data or only lines.

#include "output/memory/line_text.h"
#include "output/memory/memory_notes.h"
#include "output/report/report_table.h"
#include "tools/command.h"
#include "tools/memory/memory_reading.h"

namespace perfsift::tools {
namespace {

std::size_t limit_of(const MemoryReading& inputs) {
  constexpr std::size_t usual_lines = 20;
  return inputs.rows(inputs.json || inputs.csv ? 0 : usual_lines);
}

void write_lines(const MemoryReading& inputs, MemoryRun& run) {
  const analysis::MemoryReport& report = run.report();
  const output::LineContents contents{.report = report,
                                      .lines = run.cache_lines(),
                                      .limit = limit_of(inputs),
                                      .notes = output::sharing_notes(run.noted(), report, run.cache_lines())};
  run.write([&](output::TextWriter& out) {
    if (inputs.csv) return output::write_lines_csv(contents, out);
    if (inputs.json) return output::write_json(output::lines_json(contents), out);
    output::write_lines_text(contents, out);
  });
}

int c2c(MemoryReading& inputs) {
  inputs.prepare();
  MemoryRun run(inputs);
  analysis::MemoryOptions options;
  options.cache_lines = true;
  options.lines = limit_of(inputs);
  if (run.collect(options)) write_lines(inputs, run);
  return run.conclude();
}

}  // namespace

extern const Command c2c_command{
    .name = "c2c",
    .summary = "show the cache lines that threads share",
    .usage =
        "Usage: perfsift c2c [OPTIONS] [FILE...]\n\nShows the cache lines of recordings of perf c2c record or perf mem "
        "record that several threads use,\nwho uses which bytes, and whether the threads share data or only the "
        "line.\n",
    .positional = ReadingOptions::positional,
    .start = start<RunWith<MemoryReading, c2c>>,
};

}  // namespace perfsift::tools
