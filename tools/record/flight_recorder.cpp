#include "tools/record/flight_recorder.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <sys/wait.h>

#include "base/clock_time.h"
#include "base/duration.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/size_text.h"
#include "reader/writer/records/header_records.h"
#include "record/flight/recent_records.h"
#include "tools/record/recorded_file.h"
#include "tools/record/recorder_rights.h"
#include "tools/record/recording_header.h"
#include "tools/record/session_events.h"

namespace perfsift::tools {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds shortest_pass{20};  // with conditions and marks, which must be seen soon
constexpr std::size_t most_caught = 3;     // each as large as the rings

record::SessionPlan flight_plan(record::SessionPlan plan, const FlightOptions& flight) {
  if (flight.when() || !flight.marks().empty()) plan.rings.longest_wait = shortest_pass;
  return plan;
}

// Records beside samples, on their way into memory and perhaps into a file that is being written.
class NamesSink : public record::RecordSink {
 public:
  NamesSink(record::SideBandLog& names, record::RecordSink* file) : names_(names), file_(file) {}
  void records(std::size_t ring, Bytes records) override {
    names_.add(std::chrono::steady_clock::now(), records);
    if (file_ != nullptr) file_->records(ring, records);
  }
  void round() override {}

 private:
  record::SideBandLog& names_;
  record::RecordSink* const file_;
};

double seconds_of(std::chrono::nanoseconds time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

FlightRecorder::FlightRecorder(const record::SessionPlan& plan, const RecordOutputOptions& output,
                               const FlightOptions& flight, const KeptSamples* kept, const std::string& control,
                               std::vector<std::string> command_line)
    : plan_(flight_plan(plan, flight)),
      output_(output),
      flight_(flight),
      kept_(kept),
      command_line_(std::move(command_line)),
      session_(plan_),
      requests_(session_, control),
      names_({.window = flight.window}),
      sizer_(flight.window, flight.sizes_rings() ? most_flight_bytes : 0),
      limit_(flight.most_a_minute) {
  add_events(session_, events_);
  record::SessionPlan watched = plan_;
  watched.target = flight.watched();
  if (!flight.marks().empty()) marks_.emplace(flight.marks(), watched, session_);
  if (flight.when()) session_.watch(condition_.emplace(flight.condition, watched, session_).fd());
  for (const std::string& sentence : session_.left_out()) say("warning: " + sentence);
}

RecordedTotals FlightRecorder::run() {
  start();
  while (!requests_.ended() && session_.running()) {
    if (caught_.empty()) session_.wait();
    pass();
    take_requests();
    catch_if_asked();
    write_next();
    if (output_.longest && Clock::now() - begin_ >= *output_.longest) requests_.end();
    // What is caught needs the rings that it was copied from, and the names of its time.
    if (!caught_.empty()) continue;
    fit_rings();
    if (names_.is_generation_due(Clock::now())) renew_names();
  }
  end();
  return std::move(totals_);
}

void FlightRecorder::start() {
  begin_ = Clock::now();
  renew_names();
  if (condition_) condition_->start();
  if (marks_) marks_->start();
  kept_since_ = now();
  session_.start();
  give_up_capabilities_but(capabilities_for({.command = session_.command_pid().has_value(),
                                             .more_files = true,
                                             .bpf_programs = plan_.side_band.kernel_code,
                                             .larger_rings = flight_.sizes_rings()}));
}

void FlightRecorder::pass() {
  NamesSink sink(names_, nullptr);
  session_.drain(sink);
  if (condition_) take_triggers(condition_->pass());
  if (marks_) take_triggers(marks_->pass());
}

// A command that a signal has ended has crashed, or was stopped for a reason: its last seconds are of interest.
void FlightRecorder::end() {
  requests_.end();
  pass();
  if (condition_) take_triggers(condition_->finish());
  write_caught();
  while (!caught_.empty()) write_next();
  totals_.command_status = session_.command_status();
  const auto status = totals_.command_status;
  if (status && WIFSIGNALED(*status) && !requests_.ended_by())
    write(caught(fmt::format("the command was ended by signal {}", WTERMSIG(*status))));
  session_.stop();
  if (limit_.refused() != 0)
    say(fmt::format("{} requests were beyond the limit of {} snapshots a minute (--flight-limit)", limit_.refused(),
                    limit_.most()));
  if (failed_ != 0) say(fmt::format("{} snapshots could not be written", failed_));
  if (names_.cut_generations() != 0)
    say("warning: so many processes started that those which ended may lack their names");
  if (condition_ && condition_->lost() != 0)
    say(fmt::format("warning: {} scheduler events were lost: --when did not see the waits around them",
                    condition_->lost()));
}

void FlightRecorder::renew_names() {
  NamesSink sink(names_, nullptr);
  const std::vector<std::string> warnings = tools::renew_names(session_, plan_, names_, sink);
  for (const std::string& warning : warnings) say("warning: " + warning);
}

// Larger rings begin empty, so they are made larger as soon as the rate is known.
void FlightRecorder::fit_rings() {
  const auto size = sizer_.look(Clock::now(), session_.overwritten_rings());
  if (size && session_.resize_overwritten(*size)) {
    sizer_.forget();
    kept_since_ = now();
    if (output_.verbose)
      say(fmt::format("rings of {}B each, to keep {:.3g} s", size_text(*size), seconds_of(flight_.window)));
    return;
  }
  if (sizer_.holds_window() || said_too_small_) return;
  said_too_small_ = true;
  say(fmt::format(
      "the rings hold {:.2g} s of the {:.3g} s at this rate: larger rings by -m, or fewer events, hold more",
      seconds_of(*sizer_.held()), seconds_of(flight_.window)));
}

// --- reasons ---

void FlightRecorder::take_requests() {
  using Request = RecorderRequests::Request;
  requests_.take_all([this](Request request) {
    switch (request) {
      case Request::snapshot_by_signal:
        return asked_.push_back({.reason = "SIGUSR2"});
      case Request::snapshot_by_command:  // whose answer says that the snapshot is written
        asked_.push_back({.reason = "--control"});
        return write_caught();
      case Request::end_by_signal:
        if (wrote_lately()) return;
        return write(caught(fmt::format("ended by {}", requests_.ended_by() == SIGINT ? "SIGINT" : "a signal")));
      case Request::reload:  // never asked for
        return;
      case Request::not_understood:
        return say(std::string("warning: ") + RecorderRequests::not_understood_text);
    }
  });
}

void FlightRecorder::take_triggers(Triggers triggers) {
  for (FlightTrigger& trigger : triggers) asked_.push_back(std::move(trigger));
}

bool FlightRecorder::wrote_lately() const { return last_written_ && Clock::now() - *last_written_ < flight_.window; }

FlightRecorder::Caught FlightRecorder::caught(std::string reason) const {
  return {.reason = std::move(reason),
          .end = now(),
          .fills = session_.overwritten_rings(),
          .copies = session_.copy_overwritten()};
}

// All requests of a pass get one snapshot. The rings are copied at once, also while a file is being written: on a busy
// machine that takes longer than the rings hold.
void FlightRecorder::catch_if_asked() {
  if (asked_.empty() || caught_.size() >= most_caught) return;
  const Triggers asked = std::exchange(asked_, {});
  if (!limit_.admits(Clock::now())) return;
  std::string reason = asked.front().reason;
  if (asked.size() > 1) reason += fmt::format(", and {} more", asked.size() - 1);
  if (const std::uint64_t refused = limit_.refused() - std::exchange(refused_before_, limit_.refused()); refused != 0)
    reason += fmt::format(" ({} requests before it were beyond --flight-limit)", refused);
  caught_.push_back(caught(std::move(reason)));
}

// Writes all that was asked for up to now. More may be caught meanwhile.
void FlightRecorder::write_caught() {
  if (caught_.size() >= most_caught) write_next();
  catch_if_asked();
  for (std::size_t waiting = caught_.size(); waiting > 0; --waiting) write_next();
}

void FlightRecorder::write_next() {
  if (caught_.empty()) return;
  Caught next = std::move(caught_.front());
  caught_.pop_front();
  write(std::move(next));
}

// --- a snapshot ---

// A snapshot that cannot be written (a full disk, a folder that is gone) does not end the recorder: the next may fit.
void FlightRecorder::write(Caught caught) {
  const std::string reason = caught.reason;
  const std::uint64_t end = caught.end;
  const std::string path = path_of_part(output_.path, fmt::format(".{}", parts_++));
  try {
    const Content content = write_to(path, std::move(caught));
    last_written_ = Clock::now();
    totals_.samples += content.samples;
    totals_.files.push_back(path);
    say(fmt::format("{}: {}; {:.3g} s, {} samples", path, reason,
                    static_cast<double>(end - std::min(content.from, end)) / 1e9, content.samples));
  } catch (const Error& error) {
    ++failed_;
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    say(fmt::format("a snapshot could not be written ({}): {}", reason, error.what()));
  }
}

FlightRecorder::Content FlightRecorder::write_to(const std::string& path, Caught caught) {
  RecordedFile file(path, header_of(session_, plan_, command_line_), output_.compression_level);
  const auto keeper = kept_ != nullptr ? kept_->keeper_for(session_) : nullptr;
  KeptSink kept(keeper.get(), file);
  const auto take = [&](Bytes records) { kept.records(0, records); };
  NamesSink into_both(names_, &kept);
  const auto window = static_cast<std::uint64_t>(flight_.window.count());
  const std::uint64_t wished = caught.end - std::min(caught.end, window);

  const auto take_as_is = [&](Bytes records) { file.records(0, records); };
  write_counters(session_, plan_, take_as_is);
  names_.give_state(take);
  take_as_is(reader::encode_finished_init(ByteOrder::native));
  names_.give_records(take);
  record::RecentRecords recent(events_, wished, [&](Bytes records) {
    take(records);
    // A large file takes time, in which the ordinary rings must not overflow.
    session_.drain(into_both);
    if (condition_ && !requests_.ended()) take_triggers(condition_->pass());
    catch_if_asked();
  });
  session_.give(std::move(caught.copies), recent);
  session_.drain(into_both);
  kept.round();
  file.finish();
  totals_.bytes += file.size();
  const std::uint64_t samples = keeper ? keeper->total().kept : recent.samples();
  return {.samples = samples, .from = std::max(wished, complete_from(recent, caught.fills, kept_since_))};
}

std::uint64_t FlightRecorder::now() const { return clock_time(plan_.clock_id); }

void FlightRecorder::say(const std::string& sentence) const {
  if (!output_.quiet) std::cerr << "perfsift: " << printable(sentence) << '\n';
}

}  // namespace perfsift::tools
