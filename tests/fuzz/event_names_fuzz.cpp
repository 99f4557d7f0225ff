// Names of events, on a machine with the PMUs of Skylake-SP and a PMU whose description is part of the input: the first
// line is the text of the option -e, further lines are the files format/wide, events/other and events/other.scale.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/text_scanner.h"
#include "record/events/event_parser.h"
#include "tests/record/events/machine_tree.h"

using namespace perfsift;

namespace {

class FuzzedMachine : public test::MachineTree {
 public:
  FuzzedMachine() : MachineTree("intel_skylake_sp") {
    add("fuzzed/type", "99");
    add("fuzzed/format/event", "config:0-7");
    add_tracepoint("sched", "sched_switch", 372);
    add_tracepoint("syscalls", "sys_enter_read", 700);
  }
};

const FuzzedMachine& machine() {
  static const FuzzedMachine machine;
  return machine;
}

void describe_pmu(std::string_view lines) {
  for (const char* file : {"fuzzed/format/wide", "fuzzed/events/other", "fuzzed/events/other.scale"})
    machine().add(file, std::string(take_line(lines)));
}

// Leaders are indexes of the result and lead themselves; a name is never empty.
void check(const std::vector<record::EventRequest>& events) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    const std::size_t leader = events[i].leader;
    if (leader > i || events[leader].leader != leader || events[i].name.empty()) __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string_view text = take_line(input);
  if (!input.empty()) describe_pmu(input);
  try {
    check(record::parse_events(text, machine().sources()));
  } catch (const UsageError&) {
  }
  return 0;
}
