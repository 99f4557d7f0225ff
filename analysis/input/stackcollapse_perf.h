// FlameGraph's stackcollapse-perf.pl, byte for byte: for users whose results must not change.
//
// Takes the text of `perf script` line by line and gives the script's output, including the script's errors: a last
// sample without an empty line after it is lost, a process name of one letter swallows the text after it, functions
// that begin with "(" vanish, and tracepoints bypass the event filter. The correct reader of this text is
// analysis/input/perf_script_text.h.
//
// Left out on purpose: --inline and its --context, which run addr2line and nm on paths found in the text. perfsift
// names inlined calls itself, without running programs on paths from a text.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/input/text_scan.h"

namespace perfsift::analysis {

// The script's options of the same names. The script's --all is `kernel` and `jit` together.
struct StackcollapseOptions {
  bool pid = false;
  bool tid = false;
  bool kernel = false;
  bool jit = false;
  bool addrs = false;
  bool srcline = false;
  std::string event_filter;  // empty: the first event in the text
};

// A number with Perl's arithmetic: exact below 2^64, a double from there on.
class PerlNumber {
 public:
  PerlNumber() = default;
  explicit PerlNumber(std::string_view digits);

  PerlNumber& operator+=(const PerlNumber& other);
  // The text that Perl's `print` writes: digits, or %.15g.
  std::string text() const;

 private:
  double as_double() const { return exact_ ? static_cast<double>(integer_) : real_; }

  std::uint64_t integer_ = 0;
  double real_ = 0;
  bool exact_ = true;
};

// Not thread-safe. Keeps no references to the lines.
class StackcollapsePerf {
 public:
  // Gets the script's messages on stderr, without the position in the script that Perl adds.
  using Notice = std::function<void(std::string_view text)>;

  explicit StackcollapsePerf(StackcollapseOptions options = {}, Notice notice = {});

  // Takes one line of input without its newline; a carriage return is part of the line, as for the script.
  void line(std::string_view line);

  // The number of samples read that belong to the event.
  std::uint64_t samples() const { return samples_; }

  // The script's standard output so far: "stack count" lines without newline, sorted by the bytes of the stack. A view
  // lives until the next call.
  void write(const std::function<void(std::string_view line)>& write_line) const;

 private:
  using NameId = char32_t;
  using Names = std::u32string;

  // One function of a stack line; more than one where a JIT reports inlined calls as "caller->callee".
  struct Part {
    std::string text;
    bool takes_source_line;
  };

  bool start_sample(std::string_view line);
  bool add_stack_line(std::string_view line);
  void end_sample();
  void take_source_line(std::string_view line);
  void settle_source_lines();

  std::vector<Part> parts_of(std::string_view address, std::string_view function, std::string_view module) const;
  std::string annotated(std::string function, bool inlined, std::string_view module) const;
  void push_leaf_first(std::string_view text, Names& names);
  NameId add_name(std::string_view name);
  bool before(const Names& a, const Names& b) const;
  void notify(std::string_view what, std::string_view which) const;

  StackcollapseOptions options_;
  Notice notice_;
  bool event_defaulted_ = false;
  bool event_notice_given_ = false;

  std::uint64_t samples_ = 0;
  std::string process_;  // of the current sample; empty between samples
  bool java_ = false;    // the process name begins with java: its functions are tidied
  PerlNumber period_;
  Names stack_;  // of the current sample, leaf first

  // --srcline: functions that still wait for the input line with their source line.
  std::vector<Part> waiting_;
  std::size_t next_waiting_ = 0;

  // A name is the text between two semicolons, so lists of names and folded texts correspond one to one. Ids count up
  // from 0.
  TextMap<NameId> name_ids_;
  std::vector<const std::string*> names_;
  // The names of a stack line, [0] for other processes, [1] for java processes: most lines repeat.
  std::array<TextMap<Names>, 2> known_lines_;
  std::unordered_map<Names, PerlNumber> counts_;  // by names, root first
};

}  // namespace perfsift::analysis
