// Turns the samples of a store into the stacks of a Profile. The engine adds them up.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/gate/run.h"
#include "analysis/profile/profile.h"
#include "analysis/profile/quality.h"
#include "analysis/samples/stack_options.h"
#include "analysis/table/table_builder.h"
#include "base/sip_hash.h"
#include "store/engine/engine.h"
#include "store/selection.h"
#include "store/stack_reader.h"

namespace perfsift::store {

class RowReader;

// An event of the wanted recordings.
struct StoredEvent {
  std::string name;
  analysis::EventType type;
};

// What is known of the wanted recordings.
struct StoredRecordings {
  std::string state;  // see state_of()
  std::uint64_t recordings = 0;
  std::uint64_t samples = 0;
  std::uint64_t duration = 0;       // of all together, in nanoseconds
  std::uint64_t began = 0;          // the wanted time of the first one, in nanoseconds since 1970
  std::vector<StoredEvent> events;  // all of them; the one that is shown first comes first
  analysis::Quality quality;
};

// Throws InputError if no recording is wanted, if the units of an event differ, or if shards disagree.
StoredRecordings describe(Engine& engine, const Selection& selection);

// Not thread-safe. All arguments must live as long as the collector.
class StoreCollector {
 public:
  // The name under which an event is counted, or nothing to leave out its samples.
  using KeepEvent = std::function<std::optional<std::string>(std::string_view event)>;
  StoreCollector(Engine& engine, Selection selection, analysis::Profile& profile,
                 const analysis::StackOptions& options);

  // Makes kept samples rows, too. In the rows, the stacks of the collector's list have numbers from `first_stack` on.
  void add_rows_to(analysis::TableBuilder& rows, std::uint32_t first_stack) {
    rows_ = &rows;
    first_stack_ = first_stack;
  }
  // Makes each host a run of the rows: SumRow::run is its place among `hosts`, see describe_hosts().
  void keep_apart(std::span<const analysis::Run> hosts);
  // Collects the samples of those events that `keep` keeps. Throws InputError, and StoreChanged (wanted_rows.h): then
  // nothing was collected, and a new collector may try again.
  void collect(const StoredRecordings& stored, const KeepEvent& keep);

  // The number of samples that became stacks.
  std::uint64_t kept() const { return kept_; }
  const analysis::InterruptCounts& interrupts() const { return interrupts_; }

 private:
  // One row of the engine's answer.
  struct Sum {
    std::string_view event;
    Hash128 stack;
    std::string_view thread, cgroup;
    analysis::Amount amount;
    std::uint32_t run = analysis::SumRow::no_run;
    std::vector<analysis::OtherLabel> labels = {};
  };
  struct Apart {
    std::string columns, join;
  };

  std::vector<std::string> query(std::string_view sql) const { return engine_.query_shards(sql, parameters_); }
  std::vector<Hash128> stacks_of(const std::vector<std::string>& sums) const;
  Apart apart();
  std::vector<std::string> read_sums();
  Sum sum_in(RowReader& row) const;
  void add_sums(const std::vector<std::string>& shards);
  void add(const Sum& sum);
  // Whether the stack is wanted. Sets frames_.
  bool find_stack(const Sum& sum);
  void take_frames(const Hash128& stack);
  std::optional<analysis::FrameId> thread_of(const Sum& sum);
  std::optional<analysis::FrameId> cgroup_of(const Sum& sum);
  void add_row(const Sum& sum, analysis::EventId event, bool has_frames);
  bool needs_threads() const { return options_.comm || rows_ != nullptr; }
  bool needs_cgroups() const { return options_.cgroup || rows_ != nullptr; }

  Engine& engine_;
  Selection selection_;
  Parameters parameters_;
  analysis::Profile& profile_;
  const analysis::StackOptions& options_;
  analysis::StackList& list_;
  analysis::StackBuilder stack_;
  StackReader stored_stacks_;
  std::unordered_map<std::string, analysis::EventId> events_;
  std::vector<analysis::FrameId> frames_;   // of the current stack
  analysis::TableBuilder* rows_ = nullptr;  // nullptr: no rows are wanted
  std::uint32_t first_stack_ = 0;
  std::map<std::string, std::uint32_t, std::less<>> runs_;  // by host; empty: hosts are not kept apart
  std::vector<std::string> labels_;                         // that are kept apart, in the order of their columns
  std::uint64_t kept_ = 0;
  analysis::InterruptCounts interrupts_;
};

}  // namespace perfsift::store
