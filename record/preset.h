// Presets: what is to be known, and the best events that this machine has for it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "record/events/event_parser.h"
#include "record/events/trial.h"
#include "record/session.h"

namespace perfsift::record {

enum class Preset : std::uint8_t {
  cpu,     // where CPU time goes
  offcpu,  // where threads wait, and who wakes them
  mem,     // memory accesses: level, latency, address
  c2c,     // cache lines that CPUs share
  locks,   // contended locks of the kernel, and waits for locks of programs (futexes)
  faults,  // page faults: code and addresses
};

// Throws UsageError for any other name.
Preset preset_named(std::string_view name);
std::string_view name_of(Preset preset);

struct PresetChoice {
  std::string events;    // for parse_events()
  std::string reason;    // a sentence for the user: what was picked, and why
  bool is_first = true;  // no events that would be preferred lack
  // What the preset wants of samples and of other records, before options of the user.
  SampleContent content;
  SideBand side_band;

  void add_to(SessionPlan& plan) const;
};

// Throws Error if the machine has no event for the preset; the message says what is missing. `opens` is asked for each
// event that may do: tests give their own.
PresetChoice choose_preset(
    Preset preset, const EventSources& sources,
    const std::function<bool(const EventRequest&)>& opens = [](const EventRequest& event) { return can_open(event); });

}  // namespace perfsift::record
