// The formats of perfsift export.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "analysis/samples/frame_table.h"
#include "analysis/samples/stack_options.h"
#include "output/export_source.h"
#include "output/files/output_file.h"
#include "output/pprof/labels.h"

namespace perfsift::tools {

// Options that only some formats take.
struct FormatOptions {
  output::PprofLabels labels;
};

// How a format uses the times of samples.
enum class SampleTimes : std::uint8_t {
  listed,  // at most
  shown,   // in a view over time, besides others
  needed,  // there is no other view
};

struct ExportFormat {
  const char* name;
  const char* summary;
  bool binary = false;         // not for terminals
  bool for_viewers = false;    // people look at it: without samples nothing is written, and the command fails
  bool one_measure = false;    // adds up all amounts: see ProfileCommand::keep_shown_events()
  bool thread_frames = false;  // the name of the thread is a frame of each stack
  bool in_order = false;       // samples are written in the order of their times
  bool cpu_slices = false;     // has a place for the times of threads on CPUs
  bool labels = false;         // samples have labels, see PprofLabels
  SampleTimes times = SampleTimes::listed;
  bool both_weights = false;  // samples and periods, independent of --weight
  analysis::FrameDetail detail = analysis::FrameDetail::text;
  void (*write)(const output::ExportSource& source, const FormatOptions& options, output::OutputFile& out) = nullptr;
};

// All formats in the order in which messages list them.
std::span<const ExportFormat> export_formats();
// Throws UsageError, which lists the formats, for any other name.
const ExportFormat& export_format(const std::string& name);
// The options of stacks as the format needs them. A format with a place of its own for threads needs no frames for
// them, unless an option asks for them.
analysis::StackOptions stacks_for(const ExportFormat& format, analysis::StackOptions stacks);
// "pprof, folded, …"
std::string names_of_export_formats();

}  // namespace perfsift::tools
