// Turns the samples of a pprof profile into the stacks of a Profile.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/collect/pprof_labels.h"
#include "analysis/input/pprof_profile.h"
#include "analysis/profile/profile.h"
#include "analysis/samples/stack_options.h"
#include "analysis/table/table_builder.h"
#include "base/large_vector.h"

namespace perfsift::analysis {

// An event, or another measured quantity, of a pprof profile. Most have two sample types: the count and the value.
struct PprofEvent {
  static constexpr std::size_t none = ~std::size_t{0};

  std::string name;
  std::size_t count = none;  // the index of the sample type that counts samples
  std::size_t value = none;
  EventType type;
};

// The events of a profile. A count and the value after it are one event: cycles_sample and cycles_event of
// perf_to_profile are cycles, and samples and cpu of Go are cpu.
std::vector<PprofEvent> pprof_events(const std::vector<PprofValueType>& types);

// Not thread-safe. All arguments must live as long as the collector.
class PprofCollector {
 public:
  // The name under which an event is counted, or nothing to leave out its samples.
  using KeepEvent = std::function<std::optional<std::string>(std::string_view event)>;
  PprofCollector(const PprofProfile& input, Profile& profile, const StackOptions& options, KeepEvent keep);

  // Makes kept samples rows, too. `rows` must live as long as the collector. In the rows, the stacks of the collector's
  // list have numbers from `first_stack` on.
  void add_rows_to(TableBuilder& rows, std::uint32_t first_stack) {
    rows_ = &rows;
    first_stack_ = first_stack;
  }
  // Throws InputError, without the name of the input.
  void collect();

  const std::vector<PprofEvent>& events() const { return events_; }
  const PprofStats& stats() const { return stats_; }
  // The number of samples that became stacks.
  std::uint64_t kept() const { return kept_; }
  // The counts of interrupts, in samples.
  const InterruptCounts& interrupts() const { return interrupts_; }
  // The number of samples by run, before any filter. The run is the number in the label, or SumRow::no_run for samples
  // without the label.
  const std::map<std::uint32_t, std::uint64_t>& run_samples() const { return run_samples_; }

 private:
  static constexpr std::size_t no_entry = ~std::size_t{0};

  struct Wanted {
    PprofEvent event;
    EventId id = 0;
    std::size_t entry = no_entry;  // the last sample's stack in the list
    Amount sum = {};
  };
  // The frames of a location, innermost first. Empty until they are needed.
  struct Frames {
    std::vector<FrameId> frames;
    bool kernel = false;
    bool may_be_kernel = false;  // or it is not known whose code it is, as of folded text: its name decides
  };

  void add(const PprofSample& sample);
  Amount amount_of(const PprofSample& sample, const PprofEvent& event) const;
  const Frames& frames_of(const PprofLocation& location);
  FrameId frame_of(const PprofLocation& location, std::size_t line, bool kernel);
  static filter::KernelEntry entry_of(const PprofLocation& location);
  void count_interrupt(const PprofSample& sample);
  void count_run(const PprofSample& sample, const PprofLabelValues& labels);
  void find_stack(const PprofSample& sample, const SampleContext& context);
  // The frames of the stack, root first. Empty if no frame is known, or the options leave no frame.
  std::span<const FrameId> finish_stack(const SampleContext& context);
  void add_stack(Wanted& wanted, const Amount& amount);
  void add_row(const PprofLabelValues& labels, const SampleContext& context, const Wanted& wanted,
               const Amount& amount);
  std::uint32_t number_of(const SampleContext& context, const PprofLabelValues& labels);

  const PprofProfile& input_;
  Profile& profile_;
  const StackOptions& options_;
  const std::vector<PprofEvent> events_;
  std::vector<Wanted> wanted_;
  StackList& list_;
  StackBuilder stack_;
  std::vector<Frames> frames_;  // by the number of the location
  PprofLabelReader labels_;
  // Facts about the last sample: PprofSample::stack, whether the options leave a part of the stack, and this part.
  std::uint64_t last_sample_stack_ = 0;
  bool wants_stack_ = false;
  bool drops_interrupt_ = false;
  std::vector<FrameId> last_stack_;
  FrameId no_stack_ = 0;  // the frame no_stack_frame, once it is needed
  std::map<std::uint32_t, std::uint64_t> run_samples_;
  std::pair<const std::uint32_t, std::uint64_t>* last_run_ = nullptr;    // the last sample's run in run_samples_
  UnsetVector<SumRow> sums_;                                             // sums that are not in rows_ yet
  TableBuilder* rows_ = nullptr;                                         // nullptr: no rows are wanted
  std::uint32_t first_stack_ = 0;                                        // the number of the first stack
  std::optional<std::pair<SampleContext, std::uint32_t>> last_context_;  // with its number in rows_
  std::set<std::int32_t> named_processes_;                               // processes that have a name in rows_
  PprofStats stats_;
  std::uint64_t kept_ = 0;
  InterruptCounts interrupts_;
  std::uint64_t stored_frames_ = 0;
};

}  // namespace perfsift::analysis
