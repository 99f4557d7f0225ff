// Messages of a command about its input, on stderr, in one form, and the exit status that follows.
//
//   perfsift: warning: perf.data: the recording was never finished (data size 0): 312 bytes not read
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "reader/recording.h"
#include "symbolize/symbolizer.h"
#include "tools/command.h"

namespace perfsift::tools {

// Warnings of parts of the recording that perfsift does not read: stacks that cannot be unwound, traces that are not
// decoded. Call it after the visit.
std::vector<std::string> not_decoded(const reader::Recording& recording);

// The contents of an input.
struct InputTotal {
  std::string_view path;
  std::uint64_t samples = 0, kept = 0, lost = 0;
  bool usable = true;        // could be read
  bool is_recording = true;  // for `perfsift info`
};

// Totals of all inputs of a run, for Diagnostics::report_empty().
class InputTotals {
 public:
  // `noun`: the word for an input in messages.
  explicit InputTotals(std::string_view noun) : noun_(noun) {}

  void add(const InputTotal& input);

 private:
  friend class Diagnostics;

  std::string_view noun_;
  std::string only_path_;  // where there is one input
  std::uint64_t inputs_ = 0, samples_ = 0, kept_ = 0, lost_ = 0;
  bool any_usable_ = false, any_recording_ = false;
};

// Not thread-safe: for the thread that runs the command.
class Diagnostics {
 public:
  // Prints to stderr. `quiet`: no warnings, the exit status stays the same.
  explicit Diagnostics(bool quiet);
  Diagnostics(bool quiet, std::ostream& to) : quiet_(quiet), to_(to) {}

  void warning(std::string_view file, std::string_view text);

  // Reports damage, unknown and malformed records, and losses that the recording names. Call it after the visit,
  // when the counts are complete.
  void report(std::string_view file, const reader::ReadStats& stats);

  // Reports files that the symbolizer ignored. Call it after the last look-up of a name.
  void report(const symbolize::Symbolizer& names);

  // Reports that the options kept none of the input's samples. With `fail` (--fail-empty), a check has failed.
  void report_empty(std::string_view file, std::uint64_t samples, bool fail);
  // report_empty() for all inputs of a run together. An empty input among others is no mistake.
  void report_empty(const InputTotals& totals, bool fail);

  // Messages that are printed even if quiet: an input that cannot be used, while others can; an exceeded limit.
  void unusable(std::string_view message);
  void check_failed(std::string_view message);

  // The worst status so far: input_unusable, check_failed, partly_read (damage and malformed records), done.
  ExitStatus status() const;

 private:
  void report_empty(std::string_view what, const std::string& text, bool fail);
  void report_damage(std::string_view file, const reader::Damage& damage);
  void report_records(std::string_view file, const reader::ReadStats& stats);
  void report_losses(std::string_view file, const reader::ReadStats& stats);

  bool quiet_;
  bool coloured_ = false;
  bool unusable_ = false;
  bool check_failed_ = false;
  bool damaged_ = false;
  std::ostream& to_;
};

}  // namespace perfsift::tools
