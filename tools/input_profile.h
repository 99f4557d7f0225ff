// Reads inputs, whatever they are, into a Profile.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/input/folded_text.h"
#include "analysis/input/input_kind.h"
#include "analysis/input/perf_script_text.h"
#include "analysis/profile/quality.h"
#include "analysis/profile/stack_collector.h"
#include "analysis/samples/event_selection.h"
#include "filter/filter.h"
#include "reader/input_file.h"
#include "tools/terminal.h"

namespace perfsift::tools {

// What an input was, and how much of it could be read.
struct InputReport {
  std::string path;
  std::string error;  // why it cannot be used; empty: it could
  analysis::InputKind kind = analysis::InputKind::recording;
  std::vector<std::string> events;  // all that are in it, whether they were asked for or not

  reader::ReadStats stats;               // recordings
  std::vector<std::string> not_decoded;  // recordings; also what could not be told apart
  analysis::Quality quality;             // recordings; text does not tell it
  std::uint64_t samples = 0;             // that are in it
  std::uint64_t kept = 0;                // of them, those that became stacks
  std::optional<analysis::ScriptTextStats> script_text;
  std::optional<analysis::FoldedTextStats> folded_text;
};

// What the bytes are; looks inside gzip, zstd and xz. Throws InputError for what is none of the kinds.
analysis::InputKind kind_of(reader::InputFile& input);

// Calls `line` for each line of a text input.
void read_lines(reader::InputFile input, const std::function<void(std::string_view line)>& line,
                const std::function<void(double)>& progress = {});

// How inputs become stacks, the same for all of them.
struct ProfileReading {
  symbolize::Symbolizer& symbolizer;
  const analysis::StackOptions& stacks;
  const analysis::EventSelection& events;
  const filter::Filter& filter;  // of recordings; text must not be read with one
  unsigned threads = 1;
  Progress& progress;
};

// Adds the stacks of the input at `path` ("-": standard input) to `profile`. Thread-safe for different inputs. Throws
// InputError.
InputReport read_into_profile(const std::string& path, analysis::Profile& profile, const ProfileReading& reading);

// The same for several inputs. One that cannot be used does not stop the others: its report says so. Of few inputs
// each is read by all threads; of many each by one, and then the memory needed does not grow with their number.
std::vector<InputReport> read_into_profile(const std::vector<std::string>& paths, analysis::Profile& profile,
                                           const ProfileReading& reading);

}  // namespace perfsift::tools
