// Reads an input, whatever it is, into a Profile.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reader/input_file.h"
#include "tools/input/folded_text.h"
#include "tools/input/input_kind.h"
#include "tools/input/perf_script_text.h"
#include "tools/profile/event_selection.h"
#include "tools/profile/stack_collector.h"

namespace perfsift::tools {

// Frames of one binary that have no name, for one reason.
struct UnnamedFrames {
  std::string binary;  // its path; empty: nothing was mapped there
  symbolize::Missing reason = symbolize::Missing::none;
  std::uint64_t frames = 0;
};

// What an input was, and how much of it could be read.
struct InputReport {
  std::string path;
  InputKind kind = InputKind::recording;
  std::vector<std::string> events;  // all that are in it, whether they were asked for or not

  reader::ReadStats stats;  // recordings
  CollectCounts counts;
  std::vector<UnnamedFrames> unnamed;
  std::optional<ScriptTextStats> script_text;
  std::optional<FoldedTextStats> folded_text;
};

// What the bytes are; looks inside gzip, zstd and xz. Throws InputError for what is none of the kinds.
InputKind kind_of(reader::InputFile& input);

// Calls `line` for each line of a text input.
void read_lines(reader::InputFile input, const std::function<void(std::string_view line)>& line);

// Adds the stacks of the input at `path` ("-": standard input) to `profile`. Thread-safe for different inputs. Throws
// InputError.
InputReport read_into_profile(const std::string& path, Profile& profile, symbolize::Symbolizer& symbolizer,
                              const StackOptions& options, const EventSelection& events, unsigned threads);

}  // namespace perfsift::tools
