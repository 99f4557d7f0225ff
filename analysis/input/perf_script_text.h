// Samples from the text of `perf script`, read the way perf meant it.
//
// Unlike the collapsers this text is usually given to, it keeps the last sample, samples without
// frames or after their process has exited, tracepoints, headers with their frame on the same line,
// and names of any shape; and it counts what it cannot read. What flame graphs want of a sample
// (which events, which weight, how names are cut) is decided by who gets it.
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

// What the text says of one sample. Valid only while it is handed out.
struct ScriptSample {
  const ScriptHeader& header;
  std::span<const ScriptFrame> frames;  // leaf first, inlined calls before the function they are in
};

// A line that was not understood, for the message that says so.
struct BadLine {
  std::uint64_t number = 0;  // from 1; 0: there is none
  std::string text;
};

struct ScriptTextStats {
  std::uint64_t lines = 0;
  std::uint64_t samples = 0;
  std::uint64_t comments = 0;  // of --header
  std::uint64_t records = 0;   // PERF_RECORD_… lines of --show-mmap-events and its like
  std::uint64_t not_understood = 0;
  BadLine first_not_understood;
};

// Not thread-safe. Keeps no reference to the lines it was given.
class PerfScriptText {
 public:
  using Visitor = std::function<void(const ScriptSample&)>;

  explicit PerfScriptText(Visitor visitor);

  // One line of input, with or without its carriage return, without its newline.
  void line(std::string_view line);
  // The input has ended; a last sample need not have an empty line after it.
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
  bool after_empty_line_ = false;  // where frames may stand without a header (-F ip,sym)
  ScriptHeader header_;
  std::vector<char> header_text_;
  std::vector<char> candidate_;  // a line that may become header_text_
  std::uint64_t header_line_ = 0;
  std::vector<ScriptFrame> frames_;
  bool has_callchain_ = false;

  // True once a header that could be any text had frames: then the text is of that form
  // (-F comm,ip,sym), and one without frames is a sample without frames.
  bool uncertain_headers_are_samples_ = false;

  TextMap<ScriptFrame> known_frames_;  // by line: most come again and again
  std::unordered_set<std::string, TextHash, std::equal_to<>> source_lines_;
};

}  // namespace perfsift::analysis
