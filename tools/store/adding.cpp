#include "tools/store/adding.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "analysis/memory/memory_collector.h"
#include "analysis/offcpu/wait_collector.h"
#include "analysis/samples/event_selection.h"
#include "base/duration.h"
#include "base/error.h"
#include "base/share_work.h"
#include "options/folded_stack_options.h"
#include "store/recording_rows.h"
#include "store/row_times.h"
#include "tools/profile/input_messages.h"

namespace perfsift::tools {
namespace {

// Functions without threads, which are columns of a store's samples.
const analysis::StackOptions& stored_stacks() {
  static const analysis::StackOptions all = [] {
    analysis::StackOptions stacks =
        options::FoldedStackOptions(options::FoldedStackOptions::NamedBy::perfsift).stacks();
    stacks.comm = false;
    stacks.names_no_stack = false;
    stacks.frames.detail = analysis::FrameDetail::function;
    return stacks;
  }();
  return all;
}

// When the file was written, in nanoseconds since 1970. 0: not known.
std::uint64_t written_at(const std::string& path) {
  std::error_code error;
  const auto time = std::filesystem::last_write_time(path, error);
  if (error) return 0;
  const auto since_1970 = std::chrono::file_clock::to_sys(time).time_since_epoch();
  return static_cast<std::uint64_t>(
      std::max<std::int64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(since_1970).count(), 0));
}

// The beginning of a recording and the offset of its clock, from the recording itself; else its file was written when
// the recording ended. `sampled`: the times of its samples. Sets facts.began and facts.duration, and returns what is
// added to times of the recording for nanoseconds since 1970.
std::int64_t find_time(const InputReport& report, const analysis::TimeSpan& sampled, store::RecordingFacts& facts) {
  const std::uint64_t first = sampled.empty() ? 0 : sampled.first;
  facts.duration = report.duration;
  const auto* const recording = report.get<RecordingReport>();
  const auto* const pprof = report.get<PprofReport>();
  if (recording != nullptr && recording->description.wall_clock_offset) {
    facts.began = first + static_cast<std::uint64_t>(*recording->description.wall_clock_offset);
  } else if (pprof != nullptr && pprof->recorded_at != 0) {
    facts.began = pprof->recorded_at;
  } else {
    const std::uint64_t end = written_at(report.path);
    facts.began = end - std::min(end, facts.duration);
  }
  return static_cast<std::int64_t>(facts.began - first);
}

// The waits of a recording, in a pass of their own: they need its records in order. A stream can be read once, so it is
// opened again.
std::optional<offcpu::SummedWaits> waits_of(reader::Recording& recording, symbolize::Symbolizer& symbolizer,
                                            const store::RowTimes& times, analysis::FrameTable& frames,
                                            InputReport& report) {
  if (!offcpu::records_waits(recording)) return std::nullopt;
  std::unique_ptr<reader::Recording> again;
  if (recording.streamed()) again = reader::Recording::open(report.path, {.store_stream = true});
  offcpu::WaitCollector collector(again != nullptr ? *again : recording, symbolizer, stored_stacks().frames,
                                  [&](std::uint64_t time) { return times.of(time); });
  collector.collect();
  if (const auto why = collector.nothing_to_say()) {
    report.warnings.push_back(fmt::format("no waits are kept: it {}", *why));
    return std::nullopt;
  }
  return collector.sums(frames);
}

// The accesses of a recording, in a pass of their own: their texts are looked up in another way. With the frames of
// `profile`. Of an Arm SPE trace, accesses are other samples than those of a profile.
std::optional<analysis::SummedAccesses> accesses_of(reader::Recording& recording, symbolize::Symbolizer& symbolizer,
                                                    const store::RowTimes& times, analysis::Profile& profile,
                                                    unsigned threads, const InputReport& report) {
  static const filter::Filter no_filter;
  const auto is_memory_event = [](const auto& event) { return analysis::is_memory_event(*event); };
  const bool has_trace = recording.stats().trace_is_decoded;
  if (!has_trace && std::ranges::none_of(recording.events(), is_memory_event)) return std::nullopt;
  std::unique_ptr<reader::Recording> again;
  if (has_trace || recording.streamed())
    again = reader::Recording::open(report.path, {.trace_events = {.memory = true}, .store_stream = true});
  analysis::MemoryOptions options{.tables = {}, .shape = stored_stacks()};
  options.time_of = [&](std::uint64_t time) { return times.of(time); };
  analysis::MemoryCollector collector(again != nullptr ? *again : recording, symbolizer, profile, options, no_filter);
  analysis::SummedAccesses accesses = collector.collect(threads).accesses;
  return accesses.sums.empty() ? std::nullopt : std::optional(std::move(accesses));
}

// The events of the profile. The one that the input shows first comes first, then those in the order of the input.
std::vector<analysis::EventId> events_in_order(const InputReport& report, const analysis::Profile& profile) {
  std::vector<std::string> in_order = {report.first_event};
  in_order.insert(in_order.end(), report.events.begin(), report.events.end());
  std::vector<analysis::EventId> events;
  const auto add = [&](analysis::EventId event) {
    if (std::ranges::find(events, event) == events.end()) events.push_back(event);
  };
  for (const std::string& name : in_order) {
    const std::string known = analysis::foldable(analysis::metric_name(name));
    const auto event = std::ranges::find(profile.events(), known);
    if (!name.empty() && event != profile.events().end())
      add(static_cast<analysis::EventId>(event - profile.events().begin()));
  }
  for (analysis::EventId event = 0; event < profile.events().size(); ++event) add(event);
  return events;
}

class Adding {
 public:
  Adding(RecordingRun& run, const Labelling& labelling, store::Engine& engine)
      : run_(run),
        labelling_(labelling),
        loader_(engine),
        symbolizer_(run.symbolizer()),
        reports_(run.paths().size()) {}

  AddedRecordings add() {
    const std::vector<std::string>& paths = run_.paths();
    const unsigned at_once = static_cast<unsigned>(std::min<std::size_t>(run_.threads(), paths.size()));
    threads_of_each_ = std::max(1u, run_.threads() / std::max(1u, at_once));
    share_work(at_once, paths.size(), [&](unsigned, Tasks& inputs) {
      while (const auto i = inputs.next()) {
        run_.progress().show([&] { return fmt::format("adding file {} of {}", *i + 1, paths.size()); });
        try_to_add(paths[*i], reports_[*i]);
      }
    });
    loader_.finish();
    run_.end_progress();
    for (const InputReport& report : reports_) report_input(report, run_.diagnostics());
    return {.recordings = loader_.recordings(), .samples = loader_.samples(), .already_there = already_there_};
  }

 private:
  void try_to_add(const std::string& path, InputReport& report) {
    try {
      report = add(path);
    } catch (const InputError& error) {
      report = {.path = path, .error = error.what()};
    }
    report.quality = {};  // of thousands of inputs
  }

  InputReport add(const std::string& path) {
    store::RecordingFacts facts{.labels = labelling_.labels_of_path(path), .path = path};
    facts.id = store::recording_id(store::content_hash(path, threads_of_each_), facts.labels);
    if (!loader_.claim(facts.id)) {
      ++already_there_;
      return {.path = path};
    }
    analysis::Profile profile;
    analysis::TableBuilder builder;
    std::optional<offcpu::SummedWaits> waits;
    std::optional<analysis::SummedAccesses> accesses;
    InputReport report = read(path, profile, builder, [&](reader::Recording& recording, InputReport& so_far) {
      const std::int64_t offset = find_time(so_far, so_far.sampled_time, facts);
      const store::RowTimes times(facts.began, offset, so_far.sampled_time);
      waits = waits_of(recording, symbolizer_, times, profile.frames(), so_far);
      accesses = accesses_of(recording, symbolizer_, times, profile, threads_of_each_, so_far);
    });
    const analysis::SampleTable table = std::move(builder).seal(profile);
    labelling_.add_recorded(report, table, facts.labels);
    store::RecordingContents contents{.profile = profile,
                                      .table = table,
                                      .quality = report.quality,
                                      .events = events_in_order(report, profile),
                                      .is_folded_text = report.kind == analysis::InputKind::folded_text,
                                      .waits = waits ? &*waits : nullptr,
                                      .accesses = accesses ? &*accesses : nullptr};
    contents.clock_offset = find_time(report, table.summary().times(), facts);
    loader_.add(store::rows_of(facts, contents, store::new_load()));
    return report;
  }

  InputReport read(const std::string& path, analysis::Profile& profile, analysis::TableBuilder& rows,
                   std::function<void(reader::Recording&, InputReport&)> afterwards) {
    static const analysis::EventSelection all_events({});
    static const filter::Filter no_filter;
    Progress none(-1, {});
    return read_into_profile(path, profile,
                             {symbolizer_, stored_stacks(), all_events, no_filter, threads_of_each_, none, &rows, false,
                              std::move(afterwards)});
  }

  RecordingRun& run_;
  const Labelling& labelling_;
  store::Loader loader_;
  symbolize::Symbolizer& symbolizer_;
  unsigned threads_of_each_ = 1;
  std::atomic<std::uint64_t> already_there_ = 0;
  std::vector<InputReport> reports_;
};

}  // namespace

AddedRecordings add_to_store(RecordingRun& run, const Labelling& labelling, store::Engine& engine) {
  return Adding(run, labelling, engine).add();
}

}  // namespace perfsift::tools
