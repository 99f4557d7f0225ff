#include "tools/record/flight_options.h"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include "base/duration.h"
#include "base/error.h"
#include "options/number_option.h"
#include "output/recording/recording_sink.h"
#include "record/events/event_parser.h"
#include "record/machine/online_cpus.h"

namespace perfsift::tools {
namespace {

namespace po = options::po;

constexpr std::array window_units{TimeUnit{"s", one_second}, TimeUnit{"ms", 1'000'000}, TimeUnit{"m", 60 * one_second},
                                  TimeUnit{"", one_second}};

filter::Filter condition_in(const std::string& text) {
  filter::Filter condition = filter::Filter::parse({{"--when", text}}, filter::Subject::interval);
  if (condition.keeps_all()) throw UsageError("--when: the expression is empty");
  if (condition.uses_shares() || condition.uses_windows())
    throw UsageError("--when '" + text + "': the end of the recording, which shares of time need, is not known yet");
  return condition;
}

bool has_switches(const record::SessionPlan& plan) {
  return std::ranges::any_of(plan.events,
                             [](const auto& event) { return event.name.starts_with("sched:sched_switch"); });
}

}  // namespace

void FlightOptions::add_to(po::options_description& options) {
  auto add = options.add_options();
  add("flight", po::value(&window_text_)->value_name("TIME"),
      "keep the last TIME in memory, and write it only when asked (SIGUSR2, --control, --when, --mark)");
  add("when", po::value(&when_)->value_name("EXPR"),
      "write a snapshot when a thread was off its CPU so: 'blocked > 500us && comm == \"rx\"'");
  add("mark", po::value(&mark_names_)->value_name("EVENTS"), "write a snapshot at each such event");
  add("flight-limit",
      options::whole_number(most_a_minute, {.least = 1})->notifier([this](unsigned) { limit_given_ = true; }),
      "the most snapshots a minute (6)");
}

void FlightOptions::complete(const RecordOutputOptions& output) {
  if (window_text_.empty()) {
    if (!when_.empty() || !mark_names_.empty() || limit_given_)
      throw UsageError("--when, --mark and --flight-limit need --flight TIME");
    return;
  }
  const auto time = parse_duration(window_text_, window_units);
  if (!time || *time == 0) throw UsageError("--flight " + window_text_ + ": a time such as 10s is needed");
  window = std::chrono::nanoseconds(*time);
  if (!when_.empty()) condition = condition_in(when_);
  for (const std::string& names : mark_names_) {
    for (record::EventRequest& event : record::parse_events(names, {})) marks_.push_back(std::move(event));
  }
  for (std::size_t i = 0; i < marks_.size(); ++i) marks_[i].leader = i;
  if (output.switches.any() || output.most_bytes)
    throw UsageError("--flight writes a file for each snapshot: --switch-output and --max-size do not fit");
  if (output.in_threads())
    throw UsageError("--flight and --threads exclude each other: overwritten rings are read when asked");
  if (output::takes_pipe_form(output.path)) throw UsageError("--flight writes several files, which a pipe is not");
}

// The marks are recorded, too: they show in each snapshot where it was asked for.
void FlightOptions::apply(record::SessionPlan& plan, bool ring_size_given) {
  watched_ = plan.target;
  plan.rings.overwritten = true;
  // The tracepoint has all switches of a CPU, and SWITCH records repeat them in rings that must be read all the time.
  if (plan.target.on_cpus() && has_switches(plan)) plan.side_band.switches = false;
  sizes_rings_ = !ring_size_given;
  for (record::EventRequest event : marks_) {
    event.leader = plan.events.size();
    if (!event.terms.period) event.terms.period = 1;
    plan.events.push_back(std::move(event));
  }
  if (ring_size_given) return;
  const std::size_t cpus = std::max<std::size_t>(1, record::online_cpus({}).size());
  plan.rings.bytes = std::bit_floor(std::min(plan.rings.bytes, most_flight_bytes / cpus));
}

}  // namespace perfsift::tools
