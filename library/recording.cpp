#include <algorithm>
#include <thread>
#include <utility>

#include <perfsift/recording.h>

#include "analysis/input/recording_description.h"
#include "analysis/samples/sample_filter.h"
#include "library/access.h"
#include "library/filter_state.h"
#include "library/public_event.h"
#include "library/record_view.h"
#include "library/recording_state.h"
#include "library/sample_view.h"
#include "library/translated.h"
#include "reader/ordered_delivery.h"

namespace perfsift::v0 {
namespace detail {
namespace {

RecordingStats public_stats(const reader::ReadStats& from) {
  RecordingStats stats{
      .samples = from.samples(), .lost_records = from.losses.lost_records, .lost_samples = from.losses.lost_samples};
  for (const auto& [type, count] : from.records) stats.records += count;
  for (const auto& [type, count] : from.malformed) stats.malformed += count;
  if (from.first_sample_time <= from.last_sample_time) {
    stats.first_time = from.first_sample_time;
    stats.last_time = from.last_sample_time;
  }
  for (const reader::Damage& damage : from.damage) {
    stats.damage.push_back({.file = damage.file, .offset = damage.offset, .bytes = damage.bytes, .what = damage.what});
  }
  return stats;
}

// One thread's part of a visit.
class Visitor : public reader::SampleVisitor {
 public:
  Visitor(const RecordingState& recording, Naming& naming, std::size_t max_frames,
          const analysis::RecordingFilter& filter, Recording::SampleFunction visit)
      : view_(recording, naming, max_frames), filter_(filter.worker(view_.resolved())), visit_(std::move(visit)) {}

  void sample(const reader::Sample& sample) override {
    if (filter_ != nullptr && !filter_->keeps(sample)) return;
    view_.set(sample, filter_ != nullptr);
    call_user(visit_, Access::sample(view_));
  }

 private:
  SampleView view_;
  const std::unique_ptr<analysis::SampleFilter> filter_;
  const Recording::SampleFunction visit_;
};

NamingStyle style_of(const SampleOptions& options) {
  return {.demangling = options.demangling, .inlines = options.inlines};
}

}  // namespace

RecordingState::RecordingState(const std::string& at)
    : path(at), recording(reader::Recording::open(at, {.trace_events = {.memory = true}, .store_stream = true})) {
  for (const auto& event : recording->events()) events.push_back(public_event(*event));
  note_stats();
}

RecordingStats RecordingState::stats() const {
  const std::lock_guard lock(mutex_);
  return stats_;
}

void RecordingState::note_stats() {
  RecordingStats stats = public_stats(recording->stats());
  const std::lock_guard lock(mutex_);
  stats_ = std::move(stats);
}

const std::shared_ptr<SymbolizerState>& RecordingState::symbolizer_of(const std::optional<Symbolizer>& symbolizer) {
  if (symbolizer) return Access::of(*symbolizer);
  const std::lock_guard lock(mutex_);
  if (own_symbolizer_ == nullptr) own_symbolizer_ = Access::of(Symbolizer());
  return own_symbolizer_;
}

Naming& RecordingState::naming(const std::optional<Symbolizer>& symbolizer, const NamingStyle& style) {
  const std::shared_ptr<SymbolizerState>& state = symbolizer_of(symbolizer);
  const std::lock_guard lock(mutex_);
  const auto known = std::ranges::find_if(namings_, [&](const Naming& naming) { return naming.is_for(*state, style); });
  return known != namings_.end() ? *known : namings_.emplace_back(*recording, state, style);
}

Visit::Visit(RecordingState& state) : state_(state) {
  if (state.visited_.exchange(true)) {
    throw Error(ErrorCode::busy,
                state.path + ": is being visited; a Recording has one visit at a time: open the file once more",
                state.path);
  }
}

Visit::~Visit() {
  try {
    state_.note_stats();
  } catch (...) {  // no memory: the counts before the visit stay
  }
  state_.visited_ = false;
}

const filter::Filter& sample_filter(const Filter& filter) {
  static const filter::Filter none;
  const FilterState* state = Access::of(filter);
  if (state == nullptr) return none;
  if (state->subject != filter::Subject::sample) {
    throw Error(ErrorCode::usage, "'" + state->text + "': a filter of intervals, which cannot filter samples");
  }
  return state->filter;
}

unsigned thread_count(unsigned wanted) {
  constexpr unsigned most_threads = 1024;
  if (wanted > most_threads) throw Error(ErrorCode::usage, "threads: not between 0 and 1024");
  return wanted != 0 ? wanted : std::max(1u, std::thread::hardware_concurrency());
}

namespace {

// `make`: called by one thread at a time.
void visit_samples(RecordingState& state, const SampleOptions& options, bool in_order, unsigned threads,
                   const Recording::SampleFunctionMaker& make) {
  const Visit only(state);
  Naming& naming = state.naming(options.symbolizer, style_of(options));
  analysis::RecordingFilter filter(*state.recording, naming.symbolizer(), sample_filter(options.filter),
                                   {.max_frames = options.max_frames});
  const unsigned count = thread_count(threads);
  filter.prepare(count);
  std::mutex mutex;
  state.recording->visit_samples(in_order || filter.needs_order(), count, [&](unsigned worker) {
    const std::lock_guard lock(mutex);
    return std::make_unique<Visitor>(state, naming, options.max_frames, filter, make(worker));
  });
}

}  // namespace
}  // namespace detail

Recording::Recording(const std::string& path)
    : state_(detail::translated(path, [&] { return std::make_shared<detail::RecordingState>(path); })) {}
Recording::Recording(const Recording&) = default;
Recording& Recording::operator=(const Recording&) = default;
Recording::~Recording() = default;

const std::string& Recording::path() const noexcept { return state_->path; }
const std::vector<Event>& Recording::events() const noexcept { return state_->events; }
Timeline Recording::timeline() const { return detail::Access::timeline(state_); }

RecordingInfo Recording::info() const {
  return detail::translated([&] {
    analysis::RecordingDescription from = analysis::describe(*state_->recording);
    return RecordingInfo{.hostname = std::move(from.hostname),
                         .kernel = std::move(from.kernel),
                         .architecture = std::move(from.machine),
                         .cpu = std::move(from.cpu),
                         .perf_version = std::move(from.perf_version),
                         .command = std::move(from.command),
                         .cpus_online = from.cpus_online,
                         .wall_clock_offset = from.wall_clock_offset};
  });
}

RecordingStats Recording::stats() const {
  return detail::translated([&] { return state_->stats(); });
}

void Recording::for_each_sample(const SampleFunction& visit, const SampleOptions& options) {
  detail::translated(path(),
                     [&] { detail::visit_samples(*state_, options, true, 0, [&](unsigned) { return visit; }); });
}

void Recording::for_each_sample_parallel(const SampleFunctionMaker& make, const SampleOptions& options,
                                         unsigned threads) {
  detail::translated(path(), [&] {
    detail::visit_samples(*state_, options, false, threads,
                          [&](unsigned worker) { return detail::call_user(make, worker); });
  });
}

void Recording::for_each_record(const std::function<void(const Record& record)>& visit) {
  detail::translated(path(), [&] {
    const detail::Visit only(*state_);
    state_->recording->visit_records([&](const reader::Record& record) {
      if (record.header.type == reader::RecordType::sample) return;
      const detail::RecordView view{.record = record, .id = state_->recording->identify(record)};
      detail::call_user(visit, detail::Access::record(view));
    });
  });
}

std::vector<Frame> Recording::frames(std::int32_t pid, std::uint64_t address, std::uint64_t time, bool return_address,
                                     const SampleOptions& options) {
  return detail::translated(path(), [&] {
    detail::Naming& naming = state_->naming(options.symbolizer, detail::style_of(options));
    const detail::Naming::Lease names(naming);
    const reader::Timeline& timeline = state_->recording->timeline();
    const reader::ThreadState thread = timeline.thread(pid, pid, {.time = time, .position = ~std::uint64_t{0}});
    const reader::CpuMode mode = pid == -1 ? reader::CpuMode::kernel : reader::CpuMode::user;
    analysis::CodeVersionFinder versions(naming.versions(), timeline);
    const analysis::FrameNamer::Named named =
        names->namer().name(thread, {.mode = mode,
                                     .ip = address,
                                     .return_address = return_address,
                                     .code_time = naming.versions().time_in(versions.of(thread, time))});
    std::vector<Frame> frames;
    if (!named.is_group()) {
      frames.push_back(names->frame(named.frame));
    } else {
      for (const analysis::FrameId id : names->namer().group(named.frame)) frames.push_back(names->frame(id));
    }
    return frames;
  });
}

}  // namespace perfsift::v0
