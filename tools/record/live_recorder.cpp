#include "tools/record/live_recorder.h"

#include <algorithm>
#include <filesystem>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/size_text.h"
#include "record/flight/side_band_log.h"
#include "record/rings/pieces.h"
#include "tools/record/recorder_rights.h"
#include "tools/record/recording_header.h"

namespace perfsift::tools {
namespace {

// Gives records on, and copies those that name later samples.
class NamesCopy : public record::RecordSink {
 public:
  NamesCopy(record::RecordSink& to, std::vector<std::byte>& copy) : to_(to), copy_(copy) {}
  void records(std::size_t ring, Bytes records) override {
    to_.records(ring, records);
    record::walk_records({records, {}}, [&](const reader::RecordHeader& header, std::size_t offset) {
      if (!record::names_later_samples(header.type)) return;
      const Bytes record = records.subspan(offset, header.size);
      copy_.insert(copy_.end(), record.begin(), record.end());
    });
  }
  void trace(const record::TracePiece& piece) override { to_.trace(piece); }
  void round() override { to_.round(); }

 private:
  record::RecordSink& to_;
  std::vector<std::byte>& copy_;
};

}  // namespace

LiveRecorder::LiveRecorder(const record::SessionPlan& plan, const RecordOutputOptions& options, const KeptSamples* kept,
                           const std::string& control, std::vector<std::string> command_line, Answer* answer,
                           std::unique_ptr<record::WaitRecorder> waits)
    : plan_(plan),
      options_(options),
      command_line_(std::move(command_line)),
      answer_(answer),
      waits_(std::move(waits)),
      session_(plan),
      requests_(session_, control),
      keepers_(kept != nullptr ? kept->keepers_for(session_) : decltype(keepers_)()),
      progress_(options.quiet || (answer != nullptr && answer->request().prints_meanwhile)),
      warnings_(session_.left_out()) {}

RecordedTotals LiveRecorder::run() {
  if (!session_.command_pid()) service_.emplace();
  if (service_ && service_->is_there()) requests_.reload_by_hangup();
  if (options_.begins_at) wait_to_begin();
  open_file(opening_records());
  if (answer_ != nullptr) file_->appear(), answer_->wait_until_it_reads();
  begin_ = Clock::now();
  start();
  file_->appear();
  give_up_rights();
  if (service_) service_->ready();
  if (folder_ != nullptr) threads_ = std::make_unique<DrainThreads>(session_, *folder_, keepers_, options_.most_bytes);
  while (!requests_.ended() && session_.running()) {
    session_.wait();
    pass();
    take_requests();
    check_limits();
    if (std::exchange(is_reloading_, false)) service_->ready();
    show_progress();
    if (service_) service_->alive();
  }
  if (service_) service_->stopping();
  session_.stop();
  if (threads_) {
    threads_->finish();
  } else {
    pass();
  }
  if (waits_) waits_->finish(*sink_), sink_->round();
  progress_.end();
  close_file();
  say_which_cpus_went();
  const std::vector<record::RingCounts> rings = session_.ring_counts();
  for (const auto& keeper : keepers_) totals_.dropped += keeper->total().dropped;
  totals_.samples = record::samples_of(rings) - totals_.dropped;
  totals_.lost = record::lost_of(rings);
  if (waits_) add_waits();
  totals_.traces = record::traces_of(rings);
  totals_.command_status = session_.command_status();  // the session ends a command that still runs
  return std::move(totals_);
}

// The clock of the system may be set meanwhile.
void LiveRecorder::wait_to_begin() {
  constexpr std::chrono::milliseconds between_looks{100};
  if (service_) service_->ready();
  for (auto now = std::chrono::system_clock::now(); now < *options_.begins_at; now = std::chrono::system_clock::now()) {
    std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(between_looks, *options_.begins_at - now));
    take_requests();
    if (requests_.ended()) throw Error("ended before it was time to begin: nothing was measured");
    if (service_) service_->alive();
  }
}

// Throws if the command cannot be executed: then there is no file.
void LiveRecorder::start() {
  if (waits_ && session_.command_pid()) waits_->add_process(static_cast<std::uint32_t>(*session_.command_pid()));
  if (waits_) waits_->start(*sink_);
  session_.start();
}

std::unique_ptr<RecordedOutput> LiveRecorder::new_output() {
  reader::HeaderContent header = header_of(session_, plan_, command_line_, waits_.get());
  if (answer_ != nullptr) return std::make_unique<RecordedFile>(answer_->pipe(), std::move(header));
  if (session_.groups().empty())
    return std::make_unique<RecordedFile>(options_.path, std::move(header), options_.compression_level);
  auto folder =
      std::make_unique<RecordedFolder>(options_.path, std::move(header), options_.compression_level, session_.rings());
  folder_ = folder.get();
  return folder;
}

// What runs already is written while the records of the kernel are collected in the rings, so there is no gap.

void LiveRecorder::open_file(Bytes opening) {
  file_ = new_output();
  sink_ = std::make_unique<KeptSink>(keepers_.empty() ? nullptr : keepers_.front().get(), *file_);
  file_begin_ = Clock::now();
  sink_->records(0, opening);
}

std::vector<std::byte> LiveRecorder::opening_records() {
  std::vector<std::byte> all;
  const auto add = [&](Bytes records) { all.insert(all.end(), records.begin(), records.end()); };
  for (std::string& warning : write_opening_records(session_, plan_, add)) warnings_.push_back(std::move(warning));
  return all;
}

void LiveRecorder::close_file() {
  if (plan_.rings.overwritten) session_.snapshot(*sink_);
  file_->finish();
  totals_.bytes += file_->size();
  sink_.reset();
  file_.reset();
  if (answer_ != nullptr || !options_.switches.any()) return totals_.files.push_back(options_.path);
  // perf has hundredths of a second behind the time. A number does not come twice.
  const std::string part = path_of_part(options_.path, fmt::format("{:02}", parts_++));
  std::filesystem::rename(options_.path, part);
  totals_.files.push_back(part);
  keep_last_files();
}

// Before threads are started, which have the rights of this one.
void LiveRecorder::give_up_rights() {
  const bool more_files = options_.switches.any();
  give_up_capabilities_but(capabilities_for({.command = session_.command_pid().has_value(),
                                             .more_files = more_files,
                                             .bpf_programs = more_files && plan_.side_band.kernel_code,
                                             .bpf_maps = waits_ != nullptr,
                                             .larger_rings = false}));
}

void LiveRecorder::add_waits() {
  const record::WaitTotals& waits = waits_->totals();
  totals_.samples += waits.samples;
  const auto warn = [&](std::uint64_t count, std::string_view what) {
    if (count != 0) warnings_.push_back(fmt::format("{} {}", count, what));
  };
  warn(waits.left_out, "waits had no room in the table: --table-rows, or a shorter --every, makes room");
  warn(waits.without_thread, "waits are not known: there are more threads than the table of threads has room for");
  warn(waits.without_stack, "stacks had no room: their waits have none");
  warn(waits.not_sent, "waits over the threshold came too fast: they are in sums only");
}

void LiveRecorder::say_which_cpus_went() {
  std::vector<record::Place> places;
  for (const record::CounterInfo& counter : session_.counters()) places.push_back(counter.place);
  for (const unsigned cpu : record::offline_cpus(places, {}))
    warnings_.push_back(fmt::format("CPU {} went offline: from then on, nothing of it is recorded", cpu));
}

void LiveRecorder::pass() {
  if (waits_) waits_->drain(*sink_);
  threads_ ? threads_->check() : session_.drain(*sink_);
}

void LiveRecorder::take_requests() {
  using Request = RecorderRequests::Request;
  requests_.take_all([this](Request request) {
    if (request == Request::not_understood) warnings_.emplace_back(RecorderRequests::not_understood_text);
    if (request == Request::snapshot_by_signal || request == Request::snapshot_by_command)
      switch_asked_ |= options_.switches.on_signal;
    if (request == Request::reload) reload();
  });
}

// There is nothing to read again: the next file begins, or the next report of waits.
void LiveRecorder::reload() {
  service_->reloading();
  if (begin_ == Clock::time_point()) return service_->ready();  // waits to begin
  is_reloading_ = true;
  const bool has_reports = waits_ != nullptr && answer_ != nullptr && !answer_->request().prints_meanwhile;
  switch_asked_ |= has_reports || options_.switches.any();
}

void LiveRecorder::check_limits() {
  const Clock::time_point now = Clock::now();
  if (options_.longest && now - begin_ >= *options_.longest) requests_.end();
  if (options_.most_bytes && totals_.bytes + file_->size() >= *options_.most_bytes) requests_.end();
  if (requests_.ended()) return;
  const SwitchRule& rule = options_.switches;
  const bool full = rule.bytes && file_->size() >= *rule.bytes;
  const bool old = rule.time && now - file_begin_ >= *rule.time;
  if (full || old || switch_asked_) switch_file();
}

// The state is read before the file ends, and what changes it meanwhile goes into both files: so a thread that ends
// around the switch has its name in both.
void LiveRecorder::switch_file() {
  switch_asked_ = false;
  std::vector<std::byte> opening = opening_records();
  if (waits_) waits_->end_part(*sink_);
  NamesCopy into_both(*sink_, opening);
  session_.drain(into_both);
  close_file();
  if (answer_ != nullptr) answer_->restart();
  open_file(opening);
  file_->appear();
  if (waits_) waits_->begin_part(*sink_);
}

void LiveRecorder::keep_last_files() {
  if (options_.most_files == 0 || totals_.files.size() <= options_.most_files) return;
  std::filesystem::remove(totals_.files.front());
  totals_.files.erase(totals_.files.begin());
}

void LiveRecorder::show_progress() {
  progress_.show([&] {
    const std::vector<record::RingCounts> rings = session_.ring_counts();
    const std::uint64_t traced = record::traces_of(rings).bytes;
    return fmt::format("{} samples, {}{} lost, {}B", record::samples_of(rings), trace_text(traced),
                       record::lost_of(rings), size_text(totals_.bytes + file_->size()));
  });
}

}  // namespace perfsift::tools
