#include "tools/record/live_condition.h"

#include <cerrno>
#include <cstring>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "analysis/offcpu/interval_selection.h"
#include "analysis/samples/code_versions.h"
#include "base/duration.h"
#include "base/error.h"
#include "output/offcpu/duration_text.h"
#include "reader/writer/recording_writer.h"
#include "reader/writer/records/header_records.h"
#include "record/events/event_parser.h"
#include "record/rings/pieces.h"
#include "symbolize/symbolizer.h"
#include "tools/record/byte_channel.h"
#include "tools/record/interval_targets.h"
#include "tools/record/recording_header.h"

namespace perfsift::tools {
namespace {

using filter::Fact;
using reader::RecordType;

constexpr const char* scheduler_events = "sched:sched_switch,sched:sched_waking,sched:sched_wakeup_new";
constexpr std::size_t most_found = 100;  // triggers that wait to be taken: one of them is enough for a snapshot

bool needs_stacks(const filter::Filter& condition) {
  return condition.uses_stack() || condition.uses_waker_stack() || condition.uses(Fact::wait);
}

record::SessionPlan scheduler_plan(const filter::Filter& condition, const record::SessionPlan& flight) {
  record::SessionPlan plan;
  plan.events = record::parse_events(scheduler_events, {});
  plan.target.system_wide = true;
  if (flight.target.on_cpus()) plan.target.cpus = flight.target.cpus;
  plan.content.period = 1;
  if (needs_stacks(condition)) plan.content.call_graph = record::CallGraph::frame_pointers;
  plan.clock_id = flight.clock_id;
  return plan;
}

record::Session opened(const record::SessionPlan& plan) {
  try {
    return record::Session(plan);
  } catch (const Error& error) {
    throw Error(std::string("--when follows the scheduler on all CPUs: ") + error.what());
  }
}

// Takes what the rings give, as a recording in pipe form.
class RecordingStream : public record::RecordSink {
 public:
  // `maps`: whether stacks need names.
  RecordingStream(reader::HeaderContent header, bool maps, ByteChannel& channel)
      : sink_(channel), writer_(std::move(header), {.form = reader::WriteForm::pipe}, sink_), maps_(maps) {}

  void records(std::size_t /*ring*/, Bytes records) override {
    if (maps_) return writer_.write_records(records);
    record::walk_records({records, {}}, [&](const reader::RecordHeader& header, std::size_t offset) {
      if (!is_map(header.type)) writer_.write_records(records.subspan(offset, header.size));
    });
  }
  void round() override {
    writer_.write_records(reader::encode_finished_round(ByteOrder::native));
    writer_.flush();
  }

 private:
  static bool is_map(RecordType type) {
    return type == RecordType::mmap || type == RecordType::mmap2 || type == RecordType::ksymbol ||
           type == RecordType::bpf_event;
  }

  ChannelSink sink_;
  reader::RecordingWriter writer_;
  const bool maps_;
};

// Reads the stream, and hands out a text for each interval that the condition keeps.
class Evaluation : public offcpu::SchedulerListener, public reader::OrderedVisitor {
 public:
  using Take = std::function<void(std::string reason)>;

  Evaluation(const filter::Filter& condition, IntervalTargets& targets, reader::Recording& recording, Take take)
      : condition_(condition),
        targets_(targets),
        recording_(recording),
        versions_(recording, symbolizer_),
        scheduler_(dispatcher_),
        facts_(recording, symbolizer_, scheduler_, stacks_),
        selection_(condition, recording, facts_),
        feed_(recording, {.symbolizer = &symbolizer_, .code_versions = &versions_}, versions_,
              {.waker_stacks = condition.uses_waker_stack()}, scheduler_, stacks_, dispatcher_),
        take_(std::move(take)) {
    targets_.see(scheduler_);
    dispatcher_.select(targets_);
    dispatcher_.select(selection_);
    dispatcher_.add(*this);
  }

  void run() { recording_.visit_in_order(*this); }

  void sample(const reader::Sample& sample) override {
    feed_.sample(sample);
    limit_memory();
  }
  void record(const reader::Record& record, const reader::SampleId& id, reader::Moment moment) override {
    if (record.header.type == RecordType::fork) {
      if (const auto task = reader::decode_task(record)) targets_.note(*task);
    }
    feed_.record(record, id, moment);
  }

  void interval(const offcpu::Interval& interval) override {
    facts_.set(interval);
    const std::string_view comm = facts_.text(Fact::comm).value_or("?");
    const auto [what, length] = part_of(interval);
    take_(fmt::format("{}[{}] {} {} at {}", comm, scheduler_.threads()[interval.thread].tid, what,
                      output::duration_text(length), seconds_text(interval.end)));
  }

 private:
  static constexpr std::size_t most_stacks = 50'000;

  // The part of the interval that the condition is about.
  std::pair<std::string_view, std::uint64_t> part_of(const offcpu::Interval& interval) const {
    if (condition_.uses(Fact::run_queue)) return {"was runnable for", interval.run_queue};
    if (condition_.uses(Fact::blocked)) return {"blocked", interval.blocked};
    return {"was off its CPU for", interval.length()};
  }

  void limit_memory() {
    const std::uint64_t now = scheduler_.now();
    if (now - cleaned_ > one_second) {
      scheduler_.forget_dead();
      cleaned_ = now;
    }
    if (stacks_.size() < most_stacks) return;
    scheduler_.forget_stacks();
    feed_.forget_stacks();
    facts_.forget_stacks();
    stacks_.forget();
  }

  const filter::Filter& condition_;
  IntervalTargets& targets_;
  reader::Recording& recording_;
  symbolize::Symbolizer symbolizer_;
  const analysis::CodeVersions versions_;
  offcpu::Dispatcher dispatcher_;
  offcpu::Scheduler scheduler_;
  offcpu::StackTable stacks_;
  offcpu::IntervalFacts facts_;
  offcpu::IntervalSelection selection_;
  offcpu::RecordingFeed feed_;
  const Take take_;
  std::uint64_t cleaned_ = 0;
};

}  // namespace

class LiveCondition::State {
 public:
  State(const filter::Filter& condition, const record::SessionPlan& flight, const record::Session& session)
      : condition_(condition),
        plan_(scheduler_plan(condition, flight)),
        session_(opened(plan_)),
        targets_(flight, session),
        found_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
    if (!found_) throw Error(fmt::format("eventfd: {}", std::strerror(errno)));
  }

  ~State() { end(); }

  // The command line is that of a recording of all threads: see RecordingFeed::learn_about_recording().
  void start() {
    thread_ = std::thread([this] { evaluate(); });
    stream_.emplace(header_of(session_, plan_, {"perfsift", "record", "-a"}), needs_stacks(condition_), channel_);
    session_.start();
    write_opening_records(session_, plan_, [this](Bytes records) { stream_->records(0, records); });
  }

  std::vector<FlightTrigger> pass() {
    session_.drain(*stream_);
    eventfd_t count = 0;
    if (eventfd_read(found_.get(), &count) != 0 && errno != EAGAIN) throw Error("eventfd cannot be read");
    return found();
  }

  // The end of a stream delivers all that was held back for its order.
  std::vector<FlightTrigger> finish() {
    session_.drain(*stream_);
    end();
    return found();
  }
  std::uint64_t lost() const { return record::lost_of(session_.ring_counts()); }
  int fd() const { return found_.get(); }

 private:
  std::vector<FlightTrigger> found() {
    const std::lock_guard lock(mutex_);
    if (!error_.empty()) throw Error("--when cannot be evaluated any more: " + error_);
    return std::exchange(triggers_, {});
  }

  void end() {
    channel_.close();
    if (thread_.joinable()) thread_.join();
  }

  void evaluate() {
    std::string error;
    try {
      reader::InputFile input;
      input.path = "the scheduler's events";
      input.source = std::make_unique<ChannelSource>(channel_);
      const auto recording = reader::Recording::open(std::move(input));
      Evaluation(condition_, targets_, *recording, [this](std::string reason) { add(std::move(reason)); }).run();
    } catch (const std::exception& exception) {
      error = exception.what();
    }
    channel_.close();
    const std::lock_guard lock(mutex_);
    error_ = error;
  }

  void add(std::string reason) {
    const std::lock_guard lock(mutex_);
    if (triggers_.size() < most_found) triggers_.push_back({.reason = std::move(reason)});
    eventfd_write(found_.get(), 1);
  }

  const filter::Filter& condition_;
  const record::SessionPlan plan_;
  record::Session session_;
  IntervalTargets targets_;
  FileDescriptor found_;
  ByteChannel channel_;
  std::optional<RecordingStream> stream_;
  std::mutex mutex_;
  std::vector<FlightTrigger> triggers_;
  std::string error_;
  std::thread thread_;
};

LiveCondition::LiveCondition(const filter::Filter& condition, const record::SessionPlan& plan,
                             const record::Session& session)
    : state_(std::make_unique<State>(condition, plan, session)) {}
LiveCondition::~LiveCondition() = default;

void LiveCondition::start() { state_->start(); }
std::vector<FlightTrigger> LiveCondition::pass() { return state_->pass(); }
std::vector<FlightTrigger> LiveCondition::finish() { return state_->finish(); }
std::uint64_t LiveCondition::lost() const { return state_->lost(); }
int LiveCondition::fd() const { return state_->fd(); }

}  // namespace perfsift::tools
