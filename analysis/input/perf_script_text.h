// Reads samples from the text of `perf script`, as perf means it.
//
// Unlike the usual stackcollapse scripts, this reader keeps the last sample, samples without frames or after the exit
// of their process, tracepoints, headers with their frame on the same line, and names of any shape; and it counts lines
// that it cannot read. The receiver of the samples decides what a flame graph needs (which events, which weight, how
// names are cut).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "analysis/input/perf_script_line.h"
#include "analysis/input/text_scan.h"

namespace perfsift::analysis {

// One sample from the text. Valid only during the visitor's call.
struct ScriptSample {
  const ScriptHeader& header;
  std::span<const ScriptFrame> frames;  // leaf first, inlined calls before their function
};

// A line that was not understood, for the warning.
struct BadLine {
  std::uint64_t number = 0;  // from 1; 0: no such line
  std::string text;
};

struct ScriptTextStats {
  std::uint64_t lines = 0;
  std::uint64_t samples = 0;
  std::uint64_t comments = 0;  // printed by --header
  std::uint64_t records = 0;   // PERF_RECORD_… lines of --show-mmap-events and similar options
  std::uint64_t not_understood = 0;
  BadLine first_not_understood;
};

// Not thread-safe. Keeps no references to the lines.
class PerfScriptText {
 public:
  using Visitor = std::function<void(const ScriptSample&)>;

  explicit PerfScriptText(Visitor visitor);

  // Takes one line of input without its newline; a carriage return at the end is ignored.
  void line(std::string_view line);
  // Must be called at the end of the input. The last sample needs no empty line after it.
  void finish();

  const ScriptTextStats& stats() const { return stats_; }

 private:
  enum class Accept : bool { only_certain, any };

  bool start_sample(std::string_view line, Accept accept);
  bool add_frame(std::string_view line);
  bool add_source_line(std::string_view line);
  void end_sample();
  void not_understood(std::uint64_t number, std::string_view text);

  Visitor visitor_;
  ScriptTextStats stats_;

  // The sample being read. Its views point into header_text_ and the tables below.
  bool in_sample_ = false;
  bool after_empty_line_ = false;  // then frames may come without a header (-F ip,sym)
  ScriptHeader header_;
  std::vector<char> header_text_;
  std::vector<char> candidate_;  // a line that may become header_text_
  std::uint64_t header_line_ = 0;
  std::vector<ScriptFrame> frames_;
  bool has_callchain_ = false;

  // Set once a header that could be any text had frames: then the text has that form (-F comm,ip,sym), and such a
  // header without frames is a sample without frames.
  bool uncertain_headers_are_samples_ = false;

  TextMap<ScriptFrame> known_frames_;  // by line: most lines repeat
  std::unordered_set<std::string, TextHash, std::equal_to<>> source_lines_;
};

}  // namespace perfsift::analysis
