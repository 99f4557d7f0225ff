#include "tools/record/live_recorder.h"

#include <csignal>
#include <ctime>
#include <filesystem>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/printable.h"
#include "base/size_text.h"
#include "tools/record/recording_header.h"

namespace perfsift::tools {
namespace {

std::uint64_t samples_of(const record::Session& session) {
  std::uint64_t samples = 0;
  for (const record::RingCounts& ring : session.ring_counts()) samples += ring.samples;
  return samples;
}

std::uint64_t lost_of(const record::Session& session) {
  std::uint64_t lost = 0;
  for (const record::RingCounts& ring : session.ring_counts()) lost += ring.lost();
  return lost;
}

}  // namespace

LiveRecorder::LiveRecorder(const record::SessionPlan& plan, const RecordOutputOptions& options, const KeptSamples* kept,
                           const std::string& control, std::vector<std::string> command_line)
    : plan_(plan),
      options_(options),
      command_line_(std::move(command_line)),
      session_(plan),
      keeper_(kept != nullptr ? kept->keeper_for(session_) : nullptr),
      progress_(options.quiet),
      warnings_(session_.left_out()) {
  session_.watch(signals_.fd());
  if (!control.empty()) session_.watch(control_.emplace(control).fd());
}

RecordedTotals LiveRecorder::run() {
  open_file();
  begin_ = Clock::now();
  session_.start();
  while (!ended_ && session_.running()) {
    session_.wait();
    pass();
    take_signals();
    take_commands();
    check_limits();
    show_progress();
  }
  session_.stop();
  pass();
  progress_.end();
  close_file();
  end_command();
  totals_.dropped = dropped();
  totals_.samples = samples_of(session_) - totals_.dropped;
  totals_.lost = lost_of(session_);
  return std::move(totals_);
}

// What runs already is written while the records of the kernel are collected in the rings, so there is no gap.
void LiveRecorder::open_file() {
  file_ = std::make_unique<RecordedFile>(options_.path, header_of(session_, plan_, command_line_),
                                         options_.compression_level);
  sink_ = std::make_unique<KeptSink>(keeper_.get(), *file_);
  file_begin_ = Clock::now();
  for (std::string& warning :
       write_opening_records(session_, plan_, [&](Bytes records) { sink_->records(0, records); }))
    warnings_.push_back(std::move(warning));
}

void LiveRecorder::close_file() {
  if (plan_.rings.overwritten) session_.snapshot(*sink_);
  file_->finish();
  totals_.bytes += file_->size();
  sink_.reset();
  file_.reset();
  if (!options_.switches.any()) return totals_.files.push_back(options_.path);
  const std::string part = path_of_part();
  std::filesystem::rename(options_.path, part);
  totals_.files.push_back(part);
  keep_last_files();
}

std::uint64_t LiveRecorder::dropped() const {
  std::uint64_t dropped = 0;
  if (!keeper_) return dropped;
  for (const record::SampleKeeper::Count& event : keeper_->counts()) dropped += event.dropped;
  return dropped;
}

void LiveRecorder::pass() { session_.drain(*sink_); }

void LiveRecorder::take_signals() {
  while (const auto signal = signals_.next()) {
    if (signal->number == SIGUSR2) {
      obey(Control::Command::snapshot);
      continue;
    }
    ended_ = true;
    totals_.ended_by = signal->number;
    if (signal->from_process) session_.signal_command(signal->number);
  }
}

void LiveRecorder::take_commands() {
  if (!control_) return;
  while (const auto command = control_->next()) {
    obey(*command);
    control_->acknowledge();
  }
}

void LiveRecorder::obey(Control::Command command) {
  switch (command) {
    case Control::Command::enable:
      return session_.enable();
    case Control::Command::disable:
      return session_.disable();
    case Control::Command::stop:
      ended_ = true;
      return;
    case Control::Command::snapshot:
      switch_asked_ |= options_.switches.on_signal;
      return;
    case Control::Command::ping:
      return;
    case Control::Command::unknown:
      warnings_.emplace_back("--control: a line was no command (enable, disable, ping, snapshot, stop)");
      return;
  }
}

void LiveRecorder::check_limits() {
  const Clock::time_point now = Clock::now();
  if (options_.longest && now - begin_ >= *options_.longest) ended_ = true;
  if (options_.most_bytes && totals_.bytes + file_->size() >= *options_.most_bytes) ended_ = true;
  if (ended_) return;
  const SwitchRule& rule = options_.switches;
  const bool full = rule.bytes && file_->size() >= *rule.bytes;
  const bool old = rule.time && now - file_begin_ >= *rule.time;
  if (full || old || switch_asked_) switch_file();
}

void LiveRecorder::switch_file() {
  switch_asked_ = false;
  close_file();
  open_file();
}

// As perf names them: the time, and hundredths of a second, which are a number here, so that no name comes twice.
std::string LiveRecorder::path_of_part() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  return fmt::format("{}.{:%Y%m%d%H%M%S}{:02}", options_.path, local, parts_++);
}

void LiveRecorder::keep_last_files() {
  if (options_.most_files == 0 || totals_.files.size() <= options_.most_files) return;
  std::filesystem::remove(totals_.files.front());
  totals_.files.erase(totals_.files.begin());
}

void LiveRecorder::show_progress() {
  progress_.show([&] {
    return fmt::format("{} samples, {} lost, {}B", samples_of(session_), lost_of(session_),
                       size_text(totals_.bytes + file_->size()));
  });
}

// As perf record does: a command that still runs is asked to end.
void LiveRecorder::end_command() {
  if (!session_.command_pid()) return;
  totals_.command_status = session_.command_status();
  if (!totals_.command_status) session_.signal_command(SIGTERM);
}

}  // namespace perfsift::tools
