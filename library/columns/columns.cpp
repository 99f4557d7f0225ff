// Each thread of a visit collects rows and stacks. Then all threads merge the rows, and stacks, frames and names get
// their final numbers.
#include <list>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <perfsift/columns.h>

#include "analysis/samples/resolved_sample.h"
#include "analysis/samples/sample_filter.h"
#include "library/access.h"
#include "library/columns/rows.h"
#include "library/columns/stacks.h"
#include "library/columns/state.h"
#include "library/columns/tables.h"
#include "library/recording_state.h"
#include "library/translated.h"

namespace perfsift::v0 {
namespace detail {
namespace {

analysis::FrameDetail internal_detail(FrameDetail detail) {
  switch (detail) {
    case FrameDetail::function:
      break;
    case FrameDetail::line:
      return analysis::FrameDetail::line;
    case FrameDetail::address:
      return analysis::FrameDetail::address;
  }
  return analysis::FrameDetail::function;
}

// The samples that one thread collects.
struct Collected {
  Rows rows;
  Stacks::Collector* stacks = nullptr;  // nullptr: without stacks
};

// One thread's visit.
class Collector : public reader::SampleVisitor {
 public:
  Collector(const RecordingState& recording, Naming& naming, std::size_t max_frames,
            const analysis::RecordingFilter& filter, Collected& collected)
      : collected_(collected),
        versions_(naming.versions(), recording.recording->timeline()),
        resolved_(*recording.recording,
                  {.symbolizer = &naming.symbolizer(), .code_versions = &naming.versions(), .max_frames = max_frames}),
        filter_(filter.worker(resolved_)) {}

  void sample(const reader::Sample& sample) override {
    if (filter_ == nullptr) {
      resolved_.set(sample);
    } else if (!filter_->keeps(sample)) {
      return;
    }
    const reader::ThreadState& thread = resolved_.thread();
    Row row = row_of(sample, thread);
    if (collected_.stacks != nullptr) {
      const std::uint32_t version = versions_.of(thread, sample.time);
      row.stack = collected_.stacks->add(thread, resolved_.stack(), version);
    }
    collected_.rows.add(row);
  }

  void finish() override {
    if (collected_.stacks != nullptr) {
      collected_.stacks->finish();
      collected_.rows.replace_stacks(*collected_.stacks);
    }
    collected_.rows.sort();
  }

 private:
  Collected& collected_;
  analysis::CodeVersionFinder versions_;
  analysis::ResolvedSample resolved_;
  const std::unique_ptr<analysis::SampleFilter> filter_;
};

void collect(RecordingState& recording, Naming& naming, const ColumnsOptions& options, unsigned count,
             std::optional<Stacks>& stacks, std::list<Collected>& threads) {
  analysis::RecordingFilter filter(*recording.recording, naming.symbolizer(), sample_filter(options.samples.filter),
                                   {.max_frames = options.samples.max_frames});
  filter.prepare(count);
  std::mutex mutex;
  const auto make = [&](unsigned) {
    const std::lock_guard lock(mutex);
    Collected& collected = threads.emplace_back();
    if (stacks) collected.stacks = &stacks->new_collector();
    return std::make_unique<Collector>(recording, naming, options.samples.max_frames, filter, collected);
  };
  recording.recording->visit_samples(filter.needs_order(), count, make);
}

std::shared_ptr<const ColumnsState> read_columns(RecordingState& recording, const ColumnsOptions& options) {
  const Visit only(recording);
  Naming& naming = recording.naming(options.samples.symbolizer, {.demangling = options.samples.demangling,
                                                                 .inlines = options.samples.inlines,
                                                                 .detail = internal_detail(options.detail)});
  const unsigned count = thread_count(options.threads);
  std::optional<Stacks> stacks;
  if (options.stacks) stacks.emplace(naming, count);
  std::list<Collected> threads;
  collect(recording, naming, options, count, stacks, threads);
  if (stacks) stacks->finish(count);

  auto state = std::make_shared<ColumnsState>();
  std::vector<const Rows*> rows;
  for (const Collected& thread : threads) rows.push_back(&thread.rows);
  merge_rows(rows, stacks ? stacks->first_numbers() : std::vector<std::uint32_t>(), count, *state);
  Tables tables(recording.recording->timeline(), *state);
  tables.number_comms();
  if (stacks) tables.number_stacks(*stacks);
  return state;
}

}  // namespace
}  // namespace detail

Columns::Columns(Recording& recording, const ColumnsOptions& options)
    : state_(detail::translated(recording.path(),
                                [&] { return detail::read_columns(*detail::Access::of(recording), options); })) {}
Columns::Columns(const Columns&) = default;
Columns& Columns::operator=(const Columns&) = default;
Columns::~Columns() = default;

std::size_t Columns::size() const noexcept { return state_->time.size(); }
std::span<const std::uint64_t> Columns::time() const noexcept { return state_->time; }
std::span<const std::uint64_t> Columns::weight() const noexcept { return state_->weight; }
std::span<const std::uint64_t> Columns::period() const noexcept { return state_->period; }
std::span<const std::uint64_t> Columns::ip() const noexcept { return state_->ip; }
std::span<const std::uint64_t> Columns::addr() const noexcept { return state_->addr; }
std::span<const std::uint64_t> Columns::latency() const noexcept { return state_->latency; }
std::span<const std::int32_t> Columns::pid() const noexcept { return state_->pid; }
std::span<const std::int32_t> Columns::tid() const noexcept { return state_->tid; }
std::span<const std::int32_t> Columns::cpu() const noexcept { return state_->cpu; }
std::span<const std::uint32_t> Columns::event() const noexcept { return state_->event; }
std::span<const std::uint32_t> Columns::comm() const noexcept { return state_->comm; }
std::span<const std::uint32_t> Columns::stack() const noexcept { return state_->stack; }
std::span<const std::uint8_t> Columns::mode() const noexcept { return state_->mode; }
std::span<const std::uint64_t> Columns::stack_starts() const noexcept { return state_->stack_starts; }
std::span<const std::uint32_t> Columns::stack_frames() const noexcept { return state_->stack_frames; }
std::span<const std::uint32_t> Columns::frame_function() const noexcept { return state_->frame_function; }
std::span<const std::uint32_t> Columns::frame_binary() const noexcept { return state_->frame_binary; }
std::span<const std::uint32_t> Columns::frame_file() const noexcept { return state_->frame_file; }
std::span<const std::uint32_t> Columns::frame_line() const noexcept { return state_->frame_line; }
std::span<const std::uint64_t> Columns::frame_address() const noexcept { return state_->frame_address; }
std::span<const std::uint8_t> Columns::frame_kind() const noexcept { return state_->frame_kind; }
std::span<const std::uint8_t> Columns::frame_inlined() const noexcept { return state_->frame_inlined; }
std::span<const std::uint8_t> Columns::frame_named() const noexcept { return state_->frame_named; }
std::size_t Columns::names() const noexcept { return state_->name_starts.size() - 1; }
std::string_view Columns::name_bytes() const noexcept { return state_->name_bytes; }
std::span<const std::uint64_t> Columns::name_starts() const noexcept { return state_->name_starts; }

std::string_view Columns::name(std::uint32_t number) const noexcept {
  if (number >= names()) return {};
  const std::uint64_t start = state_->name_starts[number];
  return std::string_view(state_->name_bytes).substr(start, state_->name_starts[number + 1] - start);
}

}  // namespace perfsift::v0
