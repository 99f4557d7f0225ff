// Reads inputs of all kinds into a Profile.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "analysis/collect/stack_collector.h"
#include "analysis/gate/run.h"
#include "analysis/input/compiled_binaries.h"
#include "analysis/input/folded_text.h"
#include "analysis/input/input_kind.h"
#include "analysis/input/perf_script_text.h"
#include "analysis/input/pprof_profile.h"
#include "analysis/input/recording_description.h"
#include "analysis/profile/quality.h"
#include "analysis/profile/sampling_period.h"
#include "analysis/profile/time_span.h"
#include "analysis/samples/event_selection.h"
#include "filter/filter.h"
#include "reader/input_file.h"
#include "reader/recording.h"
#include "tools/terminal.h"

namespace perfsift::tools {

// Reports on inputs of one kind. Text of perf script has analysis::ScriptTextStats.
struct RecordingReport {
  analysis::RecordingDescription description;
  analysis::CompiledBinaries compiled;  // if ProfileReading asks for runs
  reader::ReadStats stats;
};
struct FoldedTextReport {
  analysis::FoldedTextStats stats;
  analysis::FoldedCounts counts = analysis::FoldedCounts::one;
};
struct PprofReport {
  analysis::PprofStats stats;
  std::vector<std::string> comments;
  std::uint64_t recorded_at = 0;                       // nanoseconds since 1970; 0: not known
  std::map<std::uint32_t, std::uint64_t> run_samples;  // see PprofCollector::run_samples()
  bool agrees_with_digest = true;                      // a stored profile is as it was stored
};
struct StoreReport {
  std::uint64_t recordings = 0;  // that were wanted
  std::uint64_t began = 0;       // the first one, in nanoseconds since 1970
  // Of the rows, without their counts, if ProfileReading asks for runs.
  std::vector<analysis::Run> hosts;
};

// The kind of an input, and how much of the input could be read.
struct InputReport {
  std::string path;
  std::string error;  // why it cannot be used; empty: it could
  analysis::InputKind kind = analysis::InputKind::recording;
  std::vector<std::string> events;           // all events of the input, wanted or not
  std::string first_event;                   // that is to be shown first; empty: the first of `events`
  std::map<std::string, std::string> units;  // of the values of events, where the input has them
  analysis::SamplingPeriod period;           // of the first event
  std::uint64_t samples = 0;                 // that are in it
  std::uint64_t kept = 0;                    // of them, those that became stacks
  analysis::TimeSpan sampled_time;           // of samples that became rows with their times
  std::uint64_t duration = 0;                // in nanoseconds; 0: not known
  analysis::Quality quality;                 // unknown for text
  std::vector<std::string> warnings;         // parts that could not be decoded, or not be distinguished
  // By kind; monostate if the input could not be used.
  std::variant<std::monostate, RecordingReport, analysis::ScriptTextStats, FoldedTextReport, PprofReport, StoreReport>
      own;

  bool usable() const { return error.empty(); }
  // How many recordings it stands for.
  std::uint64_t recordings() const {
    const auto* const store = get<StoreReport>();
    return store != nullptr ? store->recordings : 1;
  }
  // nullptr for inputs of other kinds.
  template <typename Own>
  const Own* get() const {
    return std::get_if<Own>(&own);
  }
};

bool any_usable(std::span<const InputReport> reports);
// Whether the inputs stand for more than one recording.
bool are_several_recordings(std::span<const InputReport> reports);
// The quality of all inputs together.
analysis::Quality quality_of(std::span<const InputReport> reports);

// The kind of the input's bytes, also inside gzip, zstd and xz. Throws InputError for an unknown kind.
analysis::InputKind kind_of(reader::InputFile& input);

// Opens a recording, for commands that read nothing else. Throws InputError, which says what the input is instead.
std::unique_ptr<reader::Recording> open_recording(const std::string& path, const reader::OpenOptions& options);

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
  // Also gets the rows of recordings, of text of perf script, and of pprof; folded text is in the profile only.
  analysis::TableBuilder* rows = nullptr;
  // Also what a gate wants to know of runs: RecordingReport::compiled, for which debug information is read, and
  // StoreReport::hosts.
  bool runs = false;
  // Called with a recording and its report, after its samples were collected, to read the recording again.
  std::function<void(reader::Recording&, InputReport&)> afterwards = {};
};

// Adds the stacks of the input at `path` ("-": standard input) to `profile`. Thread-safe for different inputs. Throws
// InputError.
InputReport read_into_profile(const std::string& path, analysis::Profile& profile, const ProfileReading& reading);
// Adds the stacks of an input that is open already.
InputReport read_into_profile(reader::InputFile input, analysis::Profile& profile, const ProfileReading& reading);

// Adds the stacks of several inputs. An unusable input does not stop the others: its report says so. All threads
// read one of few inputs; each thread reads its own of many, and then memory does not grow with the number of inputs.
std::vector<InputReport> read_into_profile(const std::vector<std::string>& paths, analysis::Profile& profile,
                                           const ProfileReading& reading);

}  // namespace perfsift::tools
