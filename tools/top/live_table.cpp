#include "tools/top/live_table.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/error.h"
#include "base/printable.h"
#include "output/quality/quality_lines.h"
#include "tools/record/recording_header.h"
#include "tools/terminal.h"

namespace perfsift::tools {
namespace {

using std::chrono::nanoseconds;

// Memory of a machine on which much is sampled, or many processes begin and end.
constexpr std::size_t most_bytes_of_interval = std::size_t{64} << 20;
constexpr record::SideBandLimits names_limits{
    .window = std::chrono::seconds(2), .generation = std::size_t{2} << 20, .most = std::size_t{16} << 20};
constexpr std::size_t bytes_of_rings = std::size_t{2} << 20;
constexpr std::size_t most_notes = 3;  // on a terminal

record::SessionPlan with_small_rings(record::SessionPlan plan) {
  plan.rings.bytes = bytes_of_rings;
  return plan;
}

// Ticks of the timer come in time even if nothing fills the rings.
FileDescriptor timer_of(nanoseconds interval) {
  FileDescriptor timer(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  const timespec time{.tv_sec = static_cast<time_t>(interval.count() / std::nano::den),
                      .tv_nsec = static_cast<long>(interval.count() % std::nano::den)};
  const itimerspec spec{.it_interval = time, .it_value = time};
  if (!timer || timerfd_settime(timer.get(), 0, &spec, nullptr) != 0)
    throw Error(fmt::format("timerfd: {}", std::strerror(errno)));
  return timer;
}

bool has_ticked(int timer) {
  std::uint64_t ticks = 0;
  return ::read(timer, &ticks, sizeof ticks) == static_cast<ssize_t>(sizeof ticks);
}

double own_cpu_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

double seconds_between(std::chrono::steady_clock::time_point begin, std::chrono::steady_clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

}  // namespace

LiveTable::LiveTable(const TopOptions& options, const record::SessionPlan& plan, const KeptSamples* kept,
                     std::vector<std::string> notes)
    : options_(options),
      plan_(with_small_rings(plan)),
      session_(plan_),
      signals_({SIGWINCH, SIGTSTP, SIGQUIT}),
      timer_(timer_of(options.delay)),
      keeper_(kept != nullptr ? kept->keeper_for(session_) : nullptr),
      records_(names_limits, most_bytes_of_interval),
      sink_(keeper_.get(), records_),
      header_(header_of(session_, plan_, {"perfsift", "top"})),
      reader_(options),
      start_notes_([&] {
        const std::vector<std::string>& left_out = session_.left_out();
        notes.insert(notes.end(), left_out.begin(), left_out.end());
        return std::move(notes);
      }()),
      output_(output::OutputFile::standard_output),
      rows_(options.shape.order) {
  session_.watch(signals_.fd());
  session_.watch(timer_.get());
  if (options.batch || options.json || !Screen::possible()) return;
  screen_.emplace();
  session_.watch(screen_->fd());
}

void LiveTable::run() {
  start();
  while (!ended_ && session_.running()) {
    session_.wait();
    session_.drain(sink_);
    take_signals();
    take_keys();
    if (has_ticked(timer_.get()) && !ended_) end_interval();
  }
  session_.stop();
  if (ended_) return;
  screen_.reset();  // the target has ended: its last table stays on the terminal
  end_interval();
}

void LiveTable::start() {
  if (!screen_ && !options_.quiet) {
    for (const std::string& note : start_notes_) std::cerr << "perfsift: " << printable(note) << '\n';
  }
  if (screen_) screen_->show("reading what runs …", "");
  renew_names();
  session_.start();
  interval_begin_ = counts();
  has_ticked(timer_.get());
}

void LiveTable::renew_names() { tools::renew_names(session_, plan_, records_.names(), sink_); }

LiveTable::Counts LiveTable::counts() const {
  return {.time = Clock::now(), .lost = record::lost_of(session_.ring_counts()), .cpu = own_cpu_seconds()};
}

void LiveTable::take_signals() {
  while (const auto signal = signals_.next()) {
    switch (signal->number) {
      case SIGUSR2:
        break;
      case SIGWINCH:
        if (screen_) show();
        break;
      case SIGTSTP:
        screen_ ? screen_->suspend() : static_cast<void>(raise(SIGSTOP));
        if (screen_) show();
        break;
      default:
        ended_ = true;
    }
  }
}

void LiveTable::take_keys() {
  while (screen_ && !ended_) {
    const auto key = screen_->key();
    if (!key) return;
    obey(*key);
  }
}

void LiveTable::obey(char key) {
  switch (key) {
    case 'q':
    case Screen::no_more_keys:
      ended_ = true;
      return;
    case 'p':
    case ' ':
      return pause_or_go_on();
    case 'z':
      sums_ = !sums_;
      rows_.clear();
      sum_ = {};
      if (sums_) add_to_sum();
      return show();
    default:
      return;
  }
}

// Nothing is sampled during a pause. The names go on, so that later samples find them.
void LiveTable::pause_or_go_on() {
  paused_ = !paused_;
  paused_ ? session_.disable() : session_.enable();
  records_.take();
  interval_begin_ = counts();
  show();
}

// The rings are drained twice: see IntervalRecords::take().
void LiveTable::end_interval() {
  session_.drain(sink_);
  const IntervalSamples samples = records_.take();
  const Counts now = counts();
  session_.drain(sink_);
  if (!paused_) {
    read_interval(samples, now);
    if (sums_) add_to_sum();
    show();
    ended_ |= ++shown_ == options_.tables;
  }
  interval_begin_ = now;
  if (records_.names().is_generation_due(Clock::now())) renew_names();
}

void LiveTable::read_interval(const IntervalSamples& samples, const Counts& now) {
  tables_ = reader_.read(records_.recording_of(samples, header_));
  const double seconds = seconds_between(interval_begin_.time, now.time);
  summary_ = {.seconds = seconds,
              .samples = tables_.input.samples,
              .lost = now.lost - interval_begin_.lost,
              .left_out = samples.left_out,
              .own_cpu = seconds > 0 ? (now.cpu - interval_begin_.cpu) / seconds : 0};
}

void LiveTable::add_to_sum() {
  if (tables_.report == nullptr) return;
  rows_.add(tables_.report->tables());
  sum_.own_cpu = summary_.own_cpu;
  sum_.seconds += summary_.seconds;
  sum_.samples += summary_.samples;
  sum_.lost += summary_.lost;
  sum_.left_out += summary_.left_out;
}

std::vector<std::string> LiveTable::notes() const {
  std::vector<std::string> notes = output::quality_lines(tables_.input.quality);
  for (const std::string& warning : tables_.input.warnings) notes.push_back(printable(warning));
  if (!screen_) return notes;
  for (const std::string& note : start_notes_) notes.push_back(printable(note));
  if (notes.size() > most_notes) notes.resize(most_notes);
  return notes;
}

void LiveTable::show() {
  if (tables_.report == nullptr) return;
  const IntervalSummary& summary = sums_ ? sum_ : summary_;
  const std::vector<analysis::ReportTable> sums = sums_ ? rows_.tables() : std::vector<analysis::ReportTable>();
  const auto& tables = sums_ ? sums : tables_.report->tables();
  const std::vector<std::string> notes = this->notes();
  const analysis::Keys& keys = options_.shape.keys;
  const std::size_t limit = options_.limit.value_or(0);
  if (options_.json) return write(interval_json(summary, tables, keys, limit, notes));
  const output::TerminalStyle style = terminal_style(output::OutputFile::standard_output);
  if (!screen_) {
    const std::size_t rows = options_.limit.value_or(rows_on_terminal);
    return write(interval_text(summary, tables, keys, rows, notes, style) + "\n");
  }
  const std::size_t fitting = rows_that_fit(screen_->size().rows, tables.size(), notes.size());
  const std::size_t rows = limit == 0 ? fitting : std::min(limit, fitting);
  const std::string_view state = paused_ ? "paused; p: go on" : "p: pause";
  const std::string_view kind = sums_ ? "z: the last interval alone" : "z: sum up from now on";
  screen_->show(interval_text(summary, tables, keys, rows, notes, style), fmt::format("q: quit  {}  {}", state, kind));
}

void LiveTable::write(const std::string& text) { output_.write(text); }

}  // namespace perfsift::tools
