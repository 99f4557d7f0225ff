// Threads collect rows in any order, each with numbers of its own for stacks and frames. Then the rows are sorted, and
// stacks, frames and names get their final numbers in the order of their first rows. So the columns do not depend on
// the threads.
#include <deque>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <perfsift/columns.h>

#include "analysis/offcpu/stack_table.h"
#include "analysis/profile/leaf_counts.h"
#include "analysis/profile/ranked_stack.h"
#include "analysis/samples/resolved_sample.h"
#include "analysis/samples/sample_filter.h"
#include "analysis/samples/stack_options.h"
#include "base/hash.h"
#include "base/large_vector.h"
#include "library/access.h"
#include "library/recording_state.h"
#include "library/translated.h"
#include "reader/callchain.h"

namespace perfsift::v0 {
namespace detail {

struct ColumnsState {
  LargeVector<std::uint64_t> time, weight, period, ip, addr, latency;
  LargeVector<std::int32_t> pid, tid, cpu;
  LargeVector<std::uint32_t> event, comm, stack;
  LargeVector<std::uint8_t> mode;
  LargeVector<std::uint64_t> stack_starts;
  LargeVector<std::uint32_t> stack_frames;
  std::vector<std::uint32_t> frame_function, frame_binary, frame_file, frame_line;
  std::vector<std::uint64_t> frame_address;
  std::vector<std::uint8_t> frame_kind, frame_inlined, frame_named;
  std::string name_bytes;
  std::vector<std::uint64_t> name_starts;
};

namespace {

using analysis::FrameId;

struct Row {
  std::uint64_t moment = 0;    // the time by which rows are sorted
  std::uint64_t position = 0;  // of the record: orders rows of one time
  std::uint64_t time = 0, weight = 0, period = 0, ip = 0, addr = 0, latency = 0;
  std::int32_t pid = -1, tid = -1, cpu = -1;
  std::uint32_t comm = 0;  // reader::NameId
  std::uint32_t stack = 0;
  std::uint32_t event : 24 = 0;
  std::uint32_t mode : 8 = 0;
};

std::uint64_t if_recorded(const reader::Sample& sample, std::uint64_t bits, std::uint64_t value) {
  return (sample.event->attr.sample_type & bits) != 0 ? value : Columns::none;
}

Row row_of(const reader::Sample& sample, const reader::ThreadState& thread) {
  namespace bit = reader::sample_bit;
  Row row{.moment = sample.moment.time, .position = sample.moment.position};
  row.time = if_recorded(sample, bit::time, sample.time);
  row.weight = analysis::weight_of(sample, analysis::Weight::period);
  row.period = sample.period;
  row.ip = if_recorded(sample, bit::ip, sample.ip);
  row.addr = if_recorded(sample, bit::addr, sample.addr);
  row.latency = if_recorded(sample, bit::weight | bit::weight_struct, sample.weight);
  row.pid = sample.pid;
  row.tid = sample.tid;
  row.cpu = sample.cpu;
  row.comm = thread.comm;
  row.stack = Columns::no_stack;
  row.event = sample.event->index & 0xffffff;
  row.mode = static_cast<std::uint32_t>(sample.cpumode);
  return row;
}

// The rows and the stacks of one thread. A stack is a leaf on callers, which many stacks share.
class Collected {
 public:
  explicit Collected(Naming* naming) {
    if (naming != nullptr) names_.emplace(*naming);
  }

  bool has_stacks() const { return names_.has_value(); }
  void add(const Row& row) { rows_.push_back(row); }

  // The number of the stack of a sample.
  std::uint32_t stack_of(const reader::Sample& sample, const reader::ThreadState& thread,
                         const analysis::CallStack::Stack& stack, std::uint32_t code_version) {
    const reader::SplitCallchain chain = reader::split_leaf(stack.words, sample.cpumode);
    if (chain.leaf.addresses.empty()) return Columns::no_stack;
    const offcpu::StackOwner owner{
        .maps = thread.maps, .kernel_maps = thread.kernel_maps, .code_version = code_version, .mode = chain.leaf.mode};
    const analysis::FrameNamer::Named leaf =
        (*names_)->stacks().name(owner, chain.leaf, chain.leaf.addresses.front(), false);
    const offcpu::StackId callers = callers_.intern(owner, chain.callers, stack.lasting);
    return static_cast<std::uint32_t>(stacks_.add(callers, leaf.frame, 0));
  }

  // Names the callers. Called on the thread of this object, after its last sample.
  void name_callers() {
    for (offcpu::StackId id = 1; id <= callers_.size(); ++id) {
      std::vector<FrameId>& frames = named_callers_.emplace_back();
      const offcpu::StackOwner& owner = callers_.owner(id);
      const reader::CallchainPart first{.mode = owner.mode};
      reader::for_each_part(callers_.words(id), first, [&](const reader::CallchainPart& part) {
        (*names_)->stacks().append(owner, part, frames);
      });
      if (reader::is_noted_truncated(callers_.words(id))) frames.push_back((*names_)->table().intern("[truncated]"));
    }
  }

  const LargeVector<Row>& rows() const { return rows_; }
  std::size_t stacks() const { return stacks_.all().size(); }
  // The frames of a stack, leaf first, as numbers of this thread.
  void get_frames(std::uint32_t stack, std::vector<FrameId>& frames) const {
    const analysis::LeafCount& it = stacks_.all()[stack];
    frames.clear();
    (*names_)->stacks().append(analysis::FrameNamer::Named{.frame = it.leaf}, frames);
    const std::vector<FrameId>& callers = named_callers_[it.callchain - 1];
    frames.insert(frames.end(), callers.begin(), callers.end());
  }
  Naming::Names& names() const { return **names_; }

 private:
  std::optional<Naming::Lease> names_;  // nothing: without stacks
  LargeVector<Row> rows_;
  offcpu::StackTable callers_;
  analysis::LeafCounts stacks_;  // pairs of callers and leaf, by number
  std::vector<std::vector<FrameId>> named_callers_;
};

// One thread's visit.
class Collector : public reader::SampleVisitor {
 public:
  Collector(const RecordingState& recording, Naming& naming, std::size_t max_frames,
            const analysis::RecordingFilter& filter, Collected& collected)
      : collected_(collected),
        versions_(naming.versions(), recording.recording->timeline()),
        resolved_(*recording.recording, {.tables = &naming.symbolizer().unwind_tables(),
                                         .code_versions = &naming.versions(),
                                         .max_frames = max_frames}),
        filter_(filter.worker(resolved_)) {}

  void sample(const reader::Sample& sample) override {
    if (filter_ == nullptr) {
      resolved_.set(sample);
    } else if (!filter_->keeps(sample)) {
      return;
    }
    const reader::ThreadState& thread = resolved_.thread();
    Row row = row_of(sample, thread);
    if (collected_.has_stacks()) {
      row.stack = collected_.stack_of(sample, thread, resolved_.stack(), versions_.of(thread, sample.time));
    }
    collected_.add(row);
  }

  void finish() override {
    if (collected_.has_stacks()) collected_.name_callers();
  }

 private:
  Collected& collected_;
  analysis::CodeVersionFinder versions_;
  analysis::ResolvedSample resolved_;
  const std::unique_ptr<analysis::SampleFilter> filter_;
};

// Rows of all threads, in order.
struct SortedRow {
  std::uint64_t key = 0;
  const Row* row = nullptr;
  std::uint32_t thread = 0;
};

LargeVector<SortedRow> sort_rows(const std::deque<Collected>& threads) {
  LargeVector<SortedRow> rows;
  for (std::uint32_t thread = 0; thread < threads.size(); ++thread) {
    for (const Row& row : threads[thread].rows()) rows.push_back({.key = row.position, .row = &row, .thread = thread});
  }
  if (rows.empty()) return rows;
  LargeVector<SortedRow> scratch(rows.size());
  analysis::radix_sort(std::span(rows), std::span(scratch), &SortedRow::key);
  for (SortedRow& it : rows) it.key = it.row->moment;
  analysis::radix_sort(std::span(rows), std::span(scratch), &SortedRow::key);
  return rows;
}

// Gives stacks, frames and names their final numbers.
class Tables {
 public:
  Tables(const std::deque<Collected>& threads, const reader::Timeline& timeline, ColumnsState& state)
      : threads_(threads), timeline_(timeline), state_(state) {
    for (const Collected& thread : threads) {
      stacks_of_.emplace_back(thread.stacks(), Columns::no_stack);
      frames_of_.emplace_back();
    }
    state_.name_starts.push_back(0);
    name("");
    state_.stack_starts.push_back(0);
  }

  std::uint32_t stack(const SortedRow& it) {
    if (it.row->stack == Columns::no_stack) return Columns::no_stack;
    std::uint32_t& known = stacks_of_[it.thread][it.row->stack];
    if (known == Columns::no_stack) known = new_stack(it);
    return known;
  }

  std::uint32_t comm(const Row& row) {
    if (row.comm != 0) {
      if (names_of_threads_.size() <= row.comm) names_of_threads_.resize(row.comm + 1);
      std::uint32_t& known = names_of_threads_[row.comm];
      return known != 0 ? known : known = name(timeline_.name(row.comm));
    }
    const auto [known, is_new] = names_of_unnamed_.try_emplace(row.tid, 0);
    return is_new ? known->second = name(timeline_.comm(row.tid, {})) : known->second;
  }

 private:
  struct SequenceHash {
    std::size_t operator()(const std::vector<std::uint32_t>& frames) const {
      std::uint64_t hash = odd_1;
      for (const std::uint32_t frame : frames) hash = mix(hash ^ frame, odd_2);
      return hash;
    }
  };

  std::uint32_t new_stack(const SortedRow& it) {
    threads_[it.thread].get_frames(it.row->stack, scratch_);
    sequence_.clear();
    for (const FrameId id : scratch_) sequence_.push_back(frame(it.thread, id));
    const auto [known, is_new] = stacks_.try_emplace(sequence_, static_cast<std::uint32_t>(stacks_.size()));
    if (is_new) {
      state_.stack_frames.insert(state_.stack_frames.end(), sequence_.begin(), sequence_.end());
      state_.stack_starts.push_back(state_.stack_frames.size());
    }
    return known->second;
  }

  std::uint32_t frame(std::uint32_t thread, FrameId id) {
    std::vector<std::uint32_t>& known = frames_of_[thread];
    if (known.size() <= id) known.resize(id + 1, Columns::no_stack);
    return known[id] != Columns::no_stack ? known[id] : known[id] = new_frame(threads_[thread].names(), id);
  }

  std::uint32_t new_frame(Naming::Names& names, FrameId id) {
    const std::uint32_t number = frames_.intern_from(names.table(), id);
    if (numbers_.size() <= number) numbers_.resize(number + 1, Columns::no_stack);
    if (numbers_[number] == Columns::no_stack) {
      numbers_[number] = static_cast<std::uint32_t>(state_.frame_function.size());
      append(names.frame(id));
    }
    return numbers_[number];
  }

  void append(const Frame& frame) {
    state_.frame_function.push_back(name(frame.function));
    state_.frame_binary.push_back(name(frame.binary));
    state_.frame_file.push_back(name(frame.file));
    state_.frame_line.push_back(frame.line);
    state_.frame_address.push_back(frame.address);
    state_.frame_kind.push_back(static_cast<std::uint8_t>(frame.kind));
    state_.frame_inlined.push_back(frame.inlined ? 1 : 0);
    state_.frame_named.push_back(frame.named ? 1 : 0);
  }

  std::uint32_t name(std::string_view text) {
    const auto [known, is_new] = names_.try_emplace(std::string(text), static_cast<std::uint32_t>(names_.size()));
    if (is_new) {
      state_.name_bytes += text;
      state_.name_starts.push_back(state_.name_bytes.size());
    }
    return known->second;
  }

  const std::deque<Collected>& threads_;
  const reader::Timeline& timeline_;
  ColumnsState& state_;
  std::vector<LargeVector<std::uint32_t>> stacks_of_;  // final numbers, by thread and the thread's number
  std::vector<std::vector<std::uint32_t>> frames_of_;  // the same for frames
  analysis::FrameTable frames_;
  std::vector<std::uint32_t> numbers_;  // of frames_
  std::unordered_map<std::vector<std::uint32_t>, std::uint32_t, SequenceHash> stacks_;
  std::unordered_map<std::string, std::uint32_t> names_;
  std::vector<std::uint32_t> names_of_threads_;  // by NameId
  std::unordered_map<std::int32_t, std::uint32_t> names_of_unnamed_;
  std::vector<FrameId> scratch_;
  std::vector<std::uint32_t> sequence_;
};

template <typename Value, typename Field>
void fill(LargeVector<Value>& column, const LargeVector<SortedRow>& rows, Field&& field) {
  column.reserve(rows.size());
  for (const SortedRow& it : rows) column.push_back(static_cast<Value>(field(*it.row)));
}

void fill_columns(const LargeVector<SortedRow>& rows, ColumnsState& state) {
  fill(state.time, rows, [](const Row& row) { return row.time; });
  fill(state.weight, rows, [](const Row& row) { return row.weight; });
  fill(state.period, rows, [](const Row& row) { return row.period; });
  fill(state.ip, rows, [](const Row& row) { return row.ip; });
  fill(state.addr, rows, [](const Row& row) { return row.addr; });
  fill(state.latency, rows, [](const Row& row) { return row.latency; });
  fill(state.pid, rows, [](const Row& row) { return row.pid; });
  fill(state.tid, rows, [](const Row& row) { return row.tid; });
  fill(state.cpu, rows, [](const Row& row) { return row.cpu; });
  fill(state.event, rows, [](const Row& row) { return row.event; });
  fill(state.mode, rows, [](const Row& row) { return row.mode; });
}

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

void collect(RecordingState& recording, Naming& naming, const ColumnsOptions& options, std::deque<Collected>& threads) {
  const unsigned count = thread_count(options.threads);
  analysis::RecordingFilter filter(*recording.recording, naming.symbolizer(), sample_filter(options.samples.filter),
                                   {.max_frames = options.samples.max_frames});
  filter.prepare(count);
  std::mutex mutex;
  const auto make = [&](unsigned) {
    const std::lock_guard lock(mutex);
    return std::make_unique<Collector>(recording, naming, options.samples.max_frames, filter,
                                       threads.emplace_back(options.stacks ? &naming : nullptr));
  };
  recording.recording->visit_samples(filter.needs_order(), count, make);
}

std::shared_ptr<const ColumnsState> read_columns(RecordingState& recording, const ColumnsOptions& options) {
  const Visit only(recording);
  Naming& naming = recording.naming(options.samples.symbolizer, {.demangling = options.samples.demangling,
                                                                 .inlines = options.samples.inlines,
                                                                 .detail = internal_detail(options.detail)});
  std::deque<Collected> threads;
  collect(recording, naming, options, threads);
  const LargeVector<SortedRow> rows = sort_rows(threads);
  auto state = std::make_shared<ColumnsState>();
  fill_columns(rows, *state);
  Tables tables(threads, recording.recording->timeline(), *state);
  state->comm.reserve(rows.size());
  for (const SortedRow& it : rows) state->comm.push_back(tables.comm(*it.row));
  if (options.stacks) {
    state->stack.reserve(rows.size());
    for (const SortedRow& it : rows) state->stack.push_back(tables.stack(it));
  }
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
