// A sample as perf script prints it: process_event() in tools/perf/builtin-script.c.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/samples/callchain.h"
#include "analysis/samples/code_names.h"
#include "analysis/samples/style.h"
#include "analysis/samples/user_stack.h"
#include "output/script/fields.h"
#include "output/script/frame_text.h"
#include "output/text_writer.h"
#include "reader/recording.h"

namespace perfsift::output {

struct SampleOptions {
  analysis::PerfStyle style = analysis::PerfStyle::newest;
  bool show_callchains = true;  // not with -G
  unsigned max_stack = 127;     // PERF_MAX_STACK_DEPTH
  FrameTextOptions frames;
};

// Prints the text behind the start of the line. Not thread-safe.
class SamplePrinter {
 public:
  SamplePrinter(const reader::Recording& recording, const FieldSelection& selection, analysis::CodeNames& names,
                const SampleOptions& options)
      : recording_(recording),
        selection_(selection),
        names_(names),
        location_text_(names, options.style),
        frame_text_(names, options.style, options.frames),
        unwinder_(recording, {.symbolizer = &names.symbolizer(),
                              .code_versions = &names.code_versions(),
                              .max_frames = options.max_stack}),
        options_(options) {}

  // `thread`: the state of the sample's thread at the sample's time.
  void print(TextWriter& out, const reader::Sample& sample, const reader::ThreadState& thread);

  // Whether the sample is printed with its frames on lines of their own.
  bool has_callchain(const reader::Sample& sample) const { return options_.show_callchains && sample.has_callchain; }

 private:
  void print_event_name(TextWriter& out, const reader::Event& event);
  void print_fields(TextWriter& out, const reader::Sample& sample, const reader::ThreadState& thread, FieldSet fields);
  void print_branch_trace(TextWriter& out, const reader::Sample& sample, const reader::ThreadState& thread,
                          FieldSet fields);
  void print_trace(TextWriter& out, const reader::Sample& sample) const;
  void print_address(TextWriter& out, const reader::Sample& sample, const reader::ThreadState& thread, FieldSet fields);
  void print_data_source(TextWriter& out, std::uint64_t data_src);
  void print_code(TextWriter& out, const reader::Sample& sample, const reader::ThreadState& thread, FieldSet fields);
  void print_callchain(TextWriter& out, const reader::Sample& sample, const reader::ThreadState& thread,
                       FieldSet fields);
  void print_branches(TextWriter& out, const reader::Sample& sample, const reader::ThreadState& thread,
                      FieldSet fields);
  void print_branch_end(TextWriter& out, const analysis::CodeLocation& end, Field form, bool with_binary);

  const reader::Recording& recording_;
  const FieldSelection& selection_;
  analysis::CodeNames& names_;
  LocationText location_text_;
  FrameText frame_text_;
  analysis::UserStackUnwinder unwinder_;
  SampleOptions options_;
  std::vector<analysis::Frame> frames_;  // of the sample at hand
  std::string escaped_;                  // of a name that had to be
  std::size_t name_width_ = 0;           // of the longest event name; 0: not known yet
  std::size_t data_source_width_ = 0;    // of the longest text so far
};

}  // namespace perfsift::output
