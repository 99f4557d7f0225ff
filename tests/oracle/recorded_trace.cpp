// recorded_trace INPUT OUTPUT [LEVEL]: records the Arm SPE trace of a recording once more, as perfsift record does:
// with the events of a session on a Neoverse N1 (testdata/sysfs), its AUXTRACE_INFO, and pieces out of AUX areas. LEVEL
// compresses the records.
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "reader/format/event.h"
#include "reader/writer/records/auxtrace.h"
#include "record/attr_configuration.h"
#include "record/events/event_parser.h"
#include "record/synthesis/trace_info.h"
#include "tests/record/events/machine_tree.h"
#include "tests/tools/record/recorded_again.h"

namespace {

using namespace perfsift;

record::SessionPlan plan_on(const test::MachineTree& machine) {
  record::SessionPlan plan;
  plan.events = record::parse_events("arm_spe_0/pa_enable=1/", machine.sources());
  plan.target.system_wide = true;
  plan.content.addresses = plan.content.weight = true;
  return plan;
}

// The ids of the recording's events stay, to which its records refer.
reader::HeaderContent header_of(const reader::Recording& input, const record::SessionPlan& plan) {
  std::vector<std::string> left_out;
  const auto events = record::configured_events(plan, std::nullopt, left_out);
  reader::HeaderContent header = reader::header_content(input);
  header.drop(reader::Feature::event_description);
  for (std::size_t i = 0; i < events.size(); ++i)
    header.events.at(i).attr = reader::encode_event_attr(events[i].attr, 144, ByteOrder::native);
  return header;
}

void record_once_more(const std::string& input, const std::string& output, std::optional<int> level) {
  const test::MachineTree machine("arm_neoverse_n1");
  const record::SessionPlan plan = plan_on(machine);
  const auto recording = reader::Recording::open(input);
  tools::RecordedFile file(output, header_of(*recording, plan), level);
  file.appear();
  const auto info = reader::encode_auxtrace_info(*record::trace_info(plan.events, machine.sysfs()), ByteOrder::native);
  test::give_again(*recording, file, info);
  file.finish();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) {
    std::cerr << "Usage: recorded_trace INPUT OUTPUT [LEVEL]\n";
    return 2;
  }
  try {
    record_once_more(argv[1], argv[2], argc == 4 ? std::optional(std::atoi(argv[3])) : std::nullopt);
    return 0;
  } catch (const Error& error) {
    std::cerr << "recorded_trace: " << error.what() << '\n';
    return 1;
  }
}
