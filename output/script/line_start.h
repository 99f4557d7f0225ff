// The start of a line of perf script: thread, CPU, time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "analysis/samples/style.h"
#include "output/script/fields.h"
#include "output/text_writer.h"
#include "reader/features/features.h"
#include "reader/format/record.h"

namespace perfsift::output {

// The format of times.
struct TimeFormat {
  bool nanoseconds = false;  // --ns
  bool relative = false;     // --reltime: to the first line
  bool delta = false;        // --deltatime: to the line before
};

// The origin of a line: fields of a sample, or of the identity trailer of another record.
struct LineOrigin {
  reader::RecordType type = reader::RecordType::sample;
  std::uint16_t misc = 0;
  std::string_view comm;
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  std::int32_t cpu = -1;
  std::uint64_t time = reader::no_time;
};

// perf_sample__fprintf_start() in tools/perf/builtin-script.c. Not thread-safe: relative times depend
// on the lines before.
class LineStart {
 public:
  // Columns of process and thread ids are 7 wide, as pids of large machines need since perf 6.8, in 6.1 they are 5
  // wide.
  LineStart(TimeFormat format, analysis::PerfStyle style)
      : format_(format), id_width_(style == analysis::PerfStyle::perf_6_1 ? 5 : 7) {}

  void set_clock_data(const reader::ClockData& clock) { clock_ = clock; }

  // `narrow_comm`: without padding, as perf prints names above callchains.
  void print(TextWriter& out, const LineOrigin& origin, FieldSet fields, bool narrow_comm);

 private:
  void print_time(TextWriter& out, std::uint64_t time);
  void print_time_of_day(TextWriter& out, std::uint64_t time) const;

  TimeFormat format_;
  std::size_t id_width_;
  std::optional<reader::ClockData> clock_;
  std::uint64_t initial_time_ = 0;
  std::uint64_t previous_time_ = 0;
};

}  // namespace perfsift::output
