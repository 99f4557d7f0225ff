// Attributes as perf 6.1 opens them: perf reads the same sysfs of another machine (SYSFS_PATH), and `perf stat -vv`
// prints each attribute before it tries to open the event, which such a machine need not have.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/shell_word.h"
#include "record/events/event_parser.h"
#include "record/events/pmu.h"
#include "record/machine/number_text.h"
#include "tests/record/events/machine_tree.h"

namespace perfsift::record {

namespace {

// Fields of an attribute by perf's names; fields that are 0 are left out.
using Fields = std::map<std::string, std::uint64_t>;

std::string output_of(const std::string& command) {
  struct Close {
    void operator()(FILE* stream) const { pclose(stream); }
  };
  const std::unique_ptr<FILE, Close> stream(popen(command.c_str(), "r"));
  std::string output;
  std::array<char, 4096> part{};
  while (const std::size_t size = stream ? std::fread(part.data(), 1, part.size(), stream.get()) : 0)
    output.append(part.data(), size);
  return output;
}

std::string why_perf_cannot_be_asked() {
  if (output_of("perf --version 2>&1").find("perf version 6.1.") == std::string::npos) return "perf 6.1 is missing";
  if (geteuid() != 0) return "perf changes attributes for users other than root";
  return "";
}

// The attributes that perf prints, one for each event: perf opens an event on each CPU of its PMU, so that equal
// attributes follow each other.
std::vector<Fields> printed_attributes(const std::string& output) {
  std::vector<Fields> all;
  std::istringstream lines(output);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("perf_event_attr:")) {
      inside = true;
      all.emplace_back();
    } else if (!line.starts_with("  ")) {
      inside = false;
    } else if (inside) {
      const std::size_t end = line.find("  ", 2), value = line.find_last_of(' ');
      const std::string name = line.substr(2, end - 2);
      const auto number = read_number(line.substr(value + 1));
      if (number && *number != 0) all.back()[name] = *number;
    }
  }
  return all;
}

Fields fields_of(const reader::EventAttr& attr) {
  const bool is_breakpoint = attr.type == reader::event_type::breakpoint;
  Fields fields{{"type", attr.type},
                {"config", is_breakpoint ? 0 : attr.config},
                {"{ bp_addr, config1 }", attr.config1},
                {"{ bp_len, config2 }", attr.config2},
                {"bp_type", attr.bp_type},
                {"exclude_user", attr.exclude_user()},
                {"exclude_kernel", attr.exclude_kernel()},
                {"exclude_hv", attr.exclude_hv()},
                {"exclude_idle", attr.exclude_idle()},
                {"exclude_host", attr.exclude_host()},
                {"exclude_guest", attr.exclude_guest()},
                {"precise_ip", attr.precise_ip()},
                {"pinned", attr.pinned()},
                {"exclusive", attr.exclusive()}};
  std::erase_if(fields, [](const auto& field) { return field.second == 0; });
  return fields;
}

// Only the fields that a request decides.
Fields decided(const Fields& printed) {
  constexpr std::array names{"type",         "config",       "{ bp_addr, config1 }", "{ bp_len, config2 }",
                             "bp_type",      "exclude_user", "exclude_kernel",       "exclude_hv",
                             "exclude_idle", "exclude_host", "exclude_guest",        "precise_ip",
                             "pinned",       "exclusive"};
  Fields fields;
  for (const char* name : names)
    if (const auto found = printed.find(name); found != printed.end()) fields.insert(*found);
  return fields;
}

std::string fields_text(const Fields& fields) {
  std::string text;
  for (const auto& [name, value] : fields) text += name + "=" + std::to_string(value) + " ";
  return text;
}

// One perf opens all events, in the order of the list.
std::vector<Fields> asked(const test::MachineTree& tree, const std::vector<std::string>& events) {
  std::string command = "SYSFS_PATH=" + shell_word(tree.sysfs()) + " perf stat -vv";
  for (const std::string& event : events) command += " -e " + shell_word(event);
  std::vector<Fields> all;
  for (const Fields& printed : printed_attributes(output_of(command + " true 2>&1"))) all.push_back(decided(printed));
  return all;
}

std::vector<std::string> without_repetition(const std::vector<Fields>& all) {
  std::vector<std::string> texts;
  for (const Fields& fields : all) texts.push_back(fields_text(fields));
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  return texts;
}

// perf opens events of a PMU with CPUs of its own by CPU, not in the order of the list, so that perf is asked for each
// of these events alone.
void compare(const test::MachineTree& tree, const std::vector<std::string>& events) {
  std::vector<std::string> together;
  std::vector<Fields> ours;
  for (const std::string& event : events) {
    std::vector<Fields> of_event;
    bool has_cpus = false;
    for (const EventRequest& request : parse_events(event, tree.sources())) {
      of_event.push_back(fields_of(request.attr));
      has_cpus |= !request.cpus.empty();
    }
    if (has_cpus) {
      EXPECT_THAT(without_repetition(of_event),
                  testing::UnorderedElementsAreArray(without_repetition(asked(tree, {event}))))
          << event;
    } else {
      together.push_back(event);
      ours.insert(ours.end(), of_event.begin(), of_event.end());
    }
  }
  if (together.empty()) return;
  EXPECT_THAT(without_repetition(ours), testing::ElementsAreArray(without_repetition(asked(tree, together))));
}

// Each alias of each PMU, with slashes.
std::vector<std::string> aliases_of(const test::MachineTree& tree) {
  std::vector<std::string> events;
  for (const Pmu& pmu : all_pmus(tree.sysfs()))
    for (const std::string& alias : pmu.alias_names()) events.push_back(pmu.name() + "/" + alias + "/");
  return events;
}

std::vector<std::string> listed(const std::string& machine) {
  std::vector<std::string> events;
  std::ifstream in(test::source_path("testdata/sysfs/" + machine + ".events"));
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && !line.starts_with('#')) events.push_back(line);
  return events;
}

class ComparedWithPerf : public testing::TestWithParam<const char*> {};

}  // namespace

TEST_P(ComparedWithPerf, EachAliasHasTheSameAttribute) {
  if (const std::string why = why_perf_cannot_be_asked(); !why.empty()) GTEST_SKIP() << why;
  const test::MachineTree tree(GetParam());
  compare(tree, aliases_of(tree));
}

TEST_P(ComparedWithPerf, ListedEventsHaveTheSameAttributes) {
  if (const std::string why = why_perf_cannot_be_asked(); !why.empty()) GTEST_SKIP() << why;
  const test::MachineTree tree(GetParam());
  const auto events = listed(GetParam());
  ASSERT_FALSE(events.empty());
  compare(tree, events);
}

INSTANTIATE_TEST_SUITE_P(Machines, ComparedWithPerf,
                         testing::Values("intel_skylake_sp", "intel_alder_lake", "amd_zen4", "arm_neoverse_n1"));

}  // namespace perfsift::record
