// Names of events become requests. Expected attributes are those that `SYSFS_PATH=… perf record -vv -e EVENT` of perf
// 6.1 prints for the machines of testdata/sysfs, and expected names are what `perf evlist` shows.
#include "record/events/event_parser.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.h"
#include "tests/record/events/machine_tree.h"
#include "tests/support/forbidden_files.h"

namespace perfsift::record {

namespace {

using reader::EventAttr;
using test::MachineTree;

const MachineTree& machine(const std::string& name) {
  static std::map<std::string, MachineTree> machines;
  if (const auto known = machines.find(name); known != machines.end()) return known->second;
  const MachineTree& tree = machines.try_emplace(name, name).first->second;
  tree.add_tracepoint("sched", "sched_switch", 372);
  tree.add_tracepoint("sched", "sched_wakeup", 370);
  tree.add_tracepoint("syscalls", "sys_enter_read", 700);
  tree.add_tracepoint("syscalls", "sys_exit_read", 699);
  tree.add_tracepoint("probe_libc", "malloc", 1500);
  return tree;
}

std::vector<EventRequest> events(const std::string& text, const std::string& of = "intel_skylake_sp") {
  return parse_events(text, machine(of).sources());
}

EventRequest event(const std::string& text, const std::string& of = "intel_skylake_sp") {
  const auto all = events(text, of);
  EXPECT_EQ(all.size(), 1U) << text;
  return all.empty() ? EventRequest() : all.front();
}

std::vector<std::string> names(const std::vector<EventRequest>& all) {
  std::vector<std::string> result;
  for (const EventRequest& one : all) result.push_back(one.name);
  return result;
}

// What is excluded, as letters: u k h I H G.
std::string excluded(const EventAttr& attr) {
  std::string letters;
  if (attr.exclude_user()) letters += 'u';
  if (attr.exclude_kernel()) letters += 'k';
  if (attr.exclude_hv()) letters += 'h';
  if (attr.exclude_idle()) letters += 'I';
  if (attr.exclude_host()) letters += 'H';
  if (attr.exclude_guest()) letters += 'G';
  return letters;
}

std::string message_of(const std::string& text, const MachineTree& of) {
  try {
    parse_events(text, of.sources());
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

std::string message_of(const std::string& text) { return message_of(text, machine("intel_skylake_sp")); }

}  // namespace

TEST(EventNames, GenericEventsHaveTheNumbersOfTheKernel) {
  struct Case {
    const char* name;
    std::uint32_t type;
    std::uint64_t config;
  };
  for (const auto& [name, type, config] : {Case{"cycles", 0, 0},
                                           {"cpu-cycles", 0, 0},
                                           {"instructions", 0, 1},
                                           {"branches", 0, 4},
                                           {"branch-instructions", 0, 4},
                                           {"ref-cycles", 0, 9},
                                           {"idle-cycles-frontend", 0, 7},
                                           {"stalled-cycles-backend", 0, 8},
                                           {"cpu-clock", 1, 0},
                                           {"faults", 1, 2},
                                           {"cs", 1, 3},
                                           {"migrations", 1, 4},
                                           {"dummy", 1, 9},
                                           {"bpf-output", 1, 10},
                                           {"cgroup-switches", 1, 11},
                                           {"L1-dcache-load-misses", 3, 0x10000},
                                           {"l1d-read-miss", 3, 0x10000},
                                           {"LLC", 3, 2},
                                           {"LLC-loads", 3, 2},
                                           {"branch-loads", 3, 5},
                                           {"L1-dcache-prefetch", 3, 0x200},
                                           {"node-prefetch-misses", 3, 0x10206},
                                           {"dTLB-store-misses", 3, 0x10103},
                                           {"r1a8", 4, 0x1a8}}) {
    const EventRequest got = event(name);
    EXPECT_EQ(got.attr.type, type) << name;
    EXPECT_EQ(got.attr.config, config) << name;
    EXPECT_EQ(got.name, name);
    EXPECT_EQ(excluded(got.attr), "G") << name;
  }
}

TEST(EventNames, ModifiersSelectModesAndPrecision) {
  for (const auto& [text, letters] : std::map<std::string, std::string>{{"cycles:u", "khG"},
                                                                        {"cycles:k", "uh"},
                                                                        {"cycles:kh", "u"},
                                                                        {"cycles:ku", "hG"},
                                                                        {"cycles:H", "G"},
                                                                        {"cycles:G", "H"},
                                                                        {"cycles:HG", ""},
                                                                        {"cycles:Hu", "khG"},
                                                                        {"cycles:I", "I"},
                                                                        {"cycles:P", ""},
                                                                        {"cycles:p", "G"},
                                                                        {"cycles:W", ""}})
    EXPECT_EQ(excluded(event(text).attr), letters) << text;
  EXPECT_EQ(event("cycles:uppp").attr.precise_ip(), 3U);
  EXPECT_TRUE(event("cycles:P").most_precise);
  EXPECT_TRUE(event("cycles:D").attr.pinned());
  EXPECT_TRUE(event("cycles:e").attr.exclusive());
  EXPECT_TRUE(event("cycles:S").sampled_by_leader);
}

TEST(EventNames, TermsOfThePmuFillTheirBits) {
  const EventRequest loads = event("cpu/mem-loads/");
  EXPECT_EQ(loads.attr.type, 4U);
  EXPECT_EQ(loads.attr.config, 0x1cdU);
  EXPECT_EQ(loads.attr.config1, 3U);
  EXPECT_EQ(loads.pmu, "cpu");
  EXPECT_EQ(event("amd_df/event=0x1f1/", "amd_zen4").attr.config, 0x1000000f1U);  // config:0-7,32-37
  EXPECT_EQ(event("arm_spe_0/ts_enable=1,min_latency=100/", "arm_neoverse_n1").attr.config2, 100U);
  EXPECT_EQ(event("arm_spe_0/inv_event_filter=0x80/", "arm_neoverse_n1").attr.config3, 0x80U);
  EXPECT_EQ(event("ibs_fetch/rand_en=1,l3missonly=1/", "amd_zen4").attr.config, 0xa00000000000000U);
  EXPECT_EQ(event("ibs_op//", "amd_zen4").attr.type, 110U);
  EXPECT_EQ(event("ibs_op/cnt_ctl/", "amd_zen4").attr.config, 0x80000U);
  EXPECT_EQ(event("intel_pt//").attr.config, 0x2401U);  // tsc, pt, branch
  EXPECT_EQ(event("cpu/r1a8/").attr.config, 0x1a8U);
  EXPECT_EQ(event("cpu/config=0x3c/").attr.config, 0x3cU);
}

// perf 6.1 and 7.x open ldlat=0x1f here: the bitwise or of 3 and 30.
TEST(EventNames, ALaterTermReplacesTheTermOfTheAlias) {
  EXPECT_EQ(event("cpu/mem-loads,ldlat=30/P").attr.config1, 30U);
  EXPECT_EQ(event("cpu/ldlat=30,mem-loads/P").attr.config1, 30U);
  EXPECT_EQ(event("cpu/ldlat=3,ldlat=4/").attr.config1, 4U);
  EXPECT_EQ(event("cpu/mem-loads,ldlat=30/P").name, "cpu/mem-loads,ldlat=30/P");
}

TEST(EventNames, AnAliasHasUnitAndScale) {
  const EventRequest energy = event("power/energy-pkg/");
  EXPECT_EQ(energy.unit, "Joules");
  EXPECT_EQ(energy.scale, 2.3283064365386962890625e-10);
  EXPECT_EQ(energy.cpus, std::vector<unsigned>{0});
  EXPECT_EQ(event("topdown-total-slots").scale, 2);
}

TEST(EventNames, AnAliasAloneIsFoundInAnyPmu) {
  EXPECT_EQ(event("mem-loads:p").attr.config, 0x1cdU);
  EXPECT_EQ(event("mem-loads:p").name, "mem-loads:p");
  EXPECT_EQ(event("hnf_cache_miss", "arm_neoverse_n1").attr.config, 0x10005U);
  EXPECT_EQ(event("tsc", "amd_zen4").pmu, "msr");
}

TEST(EventNames, OneRequestForEachPmuThatIsMeant) {
  for (const char* text : {"uncore_imc/clockticks/", "uncore_imc_*/clockticks/", "imc/clockticks/", "clockticks"}) {
    const auto all = events(text);
    EXPECT_EQ(names(all), (std::vector<std::string>{"uncore_imc_0/clockticks/", "uncore_imc_1/clockticks/"})) << text;
    EXPECT_EQ(all.back().attr.type, 124U) << text;
  }
  // uncore_imc_1 has no such event.
  EXPECT_EQ(event("uncore_imc/cas_count_write/").pmu, "uncore_imc_0");
  EXPECT_EQ(event("arm_spe//", "arm_neoverse_n1").pmu, "arm_spe_0");
  EXPECT_EQ(event("armv8_pmuv3/l1d_cache/", "arm_neoverse_n1").attr.config, 4U);
}

TEST(EventNames, HybridMachinesCountOnEachKindOfCore) {
  const auto cycles = events("cycles:u", "intel_alder_lake");
  EXPECT_EQ(names(cycles), (std::vector<std::string>{"cpu_atom/cycles/u", "cpu_core/cycles/u"}));
  EXPECT_EQ(cycles.at(0).attr.config, 0x6e00000000U);
  EXPECT_EQ(cycles.at(1).attr.config, 0x400000000U);
  EXPECT_EQ(cycles.at(0).cpus, (std::vector<unsigned>{8, 9, 10, 11}));
  const auto loads = events("mem-loads:p", "intel_alder_lake");
  EXPECT_EQ(names(loads), (std::vector<std::string>{"cpu_atom/mem-loads/p", "cpu_core/mem-loads/p"}));
  EXPECT_EQ(loads.at(0).attr.config, 0x5d0U);
  EXPECT_EQ(loads.at(1).attr.config, 0x1cdU);
  EXPECT_EQ(events("r1a8", "intel_alder_lake").at(0).attr.type, 110U);
  EXPECT_EQ(events("L1-dcache-loads", "intel_alder_lake").at(0).attr.config, 0x6e00000000U);
  EXPECT_EQ(event("cpu_core/cycles/", "intel_alder_lake").attr.config, 0x400000000U);
  EXPECT_EQ(event("slots", "intel_alder_lake").pmu, "cpu_core");
  EXPECT_EQ(event("cpu-clock", "intel_alder_lake").name, "cpu-clock");
  EXPECT_EQ(names(events("cpu/instructions/", "intel_alder_lake")),
            (std::vector<std::string>{"cpu_atom/instructions/", "cpu_core/instructions/"}));
}

TEST(EventNames, TracepointsAreFoundByNameAndGlob) {
  const EventRequest one = event("sched:sched_switch:u");
  EXPECT_EQ(one.attr.type, 2U);
  EXPECT_EQ(one.attr.config, 372U);
  EXPECT_EQ(one.attr.sample_period, 1U);
  EXPECT_EQ(excluded(one.attr), "khG");
  EXPECT_EQ(one.name, "sched:sched_switch");
  EXPECT_EQ(names(events("sched:*")), (std::vector<std::string>{"sched:sched_switch", "sched:sched_wakeup"}));
  EXPECT_EQ(names(events("sys*:sys_e?ter_*")), (std::vector<std::string>{"syscalls:sys_enter_read"}));
  EXPECT_EQ(event("probe_libc:malloc").attr.config, 1500U);
  EXPECT_EQ(event("sched:sched_switch/call-graph=no/k").terms.call_graph, "no");
}

TEST(EventNames, BreakpointsHaveLengthAndAccess) {
  const EventRequest write = event("mem:0x1000/8:w:u");
  EXPECT_EQ(write.attr.type, 5U);
  EXPECT_EQ(write.attr.config1, 0x1000U);
  EXPECT_EQ(write.attr.config2, 8U);
  EXPECT_EQ(write.attr.bp_type, 2U);
  EXPECT_EQ(write.attr.sample_period, 1U);
  EXPECT_EQ(excluded(write.attr), "khG");
  EXPECT_EQ(event("mem:0x1000").attr.bp_type, 3U);
  EXPECT_EQ(event("mem:0x1000").attr.config2, 4U);
  EXPECT_EQ(event("mem:0x1000:x").attr.config2, 8U);
  EXPECT_EQ(excluded(event("mem:0x1000:k").attr), "uh");
}

TEST(EventNames, TermsOfPerfAreKeptForTheSession) {
  const EventRequest got = event(
      "cpu/event=0xc0,umask=1,name='my event',period=100,call-graph=dwarf,stack-size=4096,max-stack=8,no-inherit,"
      "overwrite,time=0,branch_type=any,aux-output,aux-sample-size=64,percore,metric-id=x/u");
  EXPECT_EQ(got.attr.config, 0x1c0U);
  EXPECT_EQ(got.name, "my event");
  EXPECT_EQ(got.terms.period, 100U);
  EXPECT_EQ(got.terms.call_graph, "dwarf");
  EXPECT_EQ(got.terms.stack_size, 4096U);
  EXPECT_EQ(got.terms.max_stack, 8U);
  EXPECT_EQ(got.terms.inherit, false);
  EXPECT_EQ(got.terms.overwrite, true);
  EXPECT_EQ(got.terms.time, false);
  EXPECT_EQ(got.terms.branch_type, "any");
  EXPECT_EQ(got.terms.aux_output, true);
  EXPECT_EQ(got.terms.aux_sample_size, 64U);
  EXPECT_EQ(event("cycles/freq=99/u").terms.frequency, 99U);
  EXPECT_EQ(event("cycles/freq=99/u").name, "cycles/freq=99/u");
}

TEST(EventNames, GroupsHaveLeadersAndSharedModifiers) {
  const auto all = events("dummy, busy{cycles , instructions:k}:Su,{faults}");
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(names(all), (std::vector<std::string>{"dummy", "cycles", "instructions:k", "faults"}));
  EXPECT_EQ(all[0].leader, 0U);
  EXPECT_EQ(all[1].leader, 1U);
  EXPECT_EQ(all[1].group_name, "busy");
  EXPECT_EQ(all[2].leader, 1U);
  EXPECT_EQ(all[3].leader, 3U);
  EXPECT_FALSE(all[0].sampled_by_leader);
  EXPECT_TRUE(all[1].sampled_by_leader);
  EXPECT_TRUE(all[2].sampled_by_leader);
  EXPECT_EQ(excluded(all[1].attr), "khG");
  EXPECT_EQ(excluded(all[2].attr), "hG");
  EXPECT_TRUE(events("{cycles,faults}:W")[1].weak_group);
  EXPECT_FALSE(events("{cycles,faults}:D")[1].attr.pinned());
  EXPECT_TRUE(events("{cycles,faults}:D")[0].attr.pinned());
}

TEST(EventNames, AGroupOfSeveralKindsOfCoresIsAGroupOfEach) {
  const auto all = events("{cycles,faults,instructions}", "intel_alder_lake");
  ASSERT_EQ(all.size(), 5U);
  EXPECT_EQ(names(all), (std::vector<std::string>{"cpu_atom/cycles/", "cpu_core/cycles/", "faults",
                                                  "cpu_atom/instructions/", "cpu_core/instructions/"}));
  std::vector<std::size_t> leaders;
  for (const EventRequest& one : all) leaders.push_back(one.leader);
  EXPECT_EQ(leaders, (std::vector<std::size_t>{0, 1, 0, 0, 1}));
}

TEST(EventNames, EventsOfOnePmuOfCoresAreOneGroup) {
  const auto all = events("{cycles,armv8_pmuv3_0/l1d_cache/}", "arm_neoverse_n1");
  EXPECT_EQ(all.at(1).leader, 0U);
}

TEST(EventNames, AnAliasWithAnOpenTermNeedsThatTerm) {
  MachineTree tree;
  tree.add("hv/type", "30");
  tree.add("hv/format/offset", "config:0-31");
  tree.add("hv/format/core", "config:32-47");
  tree.add("hv/events/ticks", "offset=0x10,core=?");
  EXPECT_EQ(parse_events("hv/ticks,core=2/", tree.sources()).at(0).attr.config, 0x200000010U);
  EXPECT_THROW(parse_events("hv/ticks/", tree.sources()), UsageError);
}

TEST(EventNames, DamagedDescriptionsOfAPmuAreRefused) {
  MachineTree tree;
  tree.add("odd/type", "30");
  tree.add("odd/format/a", "config9:0-31");
  tree.add("odd/format/b", "config:60-70");
  tree.add("odd/format/c", "config:0-63,0-63");
  tree.add("odd/format/d", "config:5-1");
  tree.add("odd/events/e", "{a/,");
  tree.add("odd/events/f", "zz=1");
  tree.add("untyped/type", "x");
  for (const char* name : {"odd/a=1/", "odd/b=1/", "odd/c=1/", "odd/d=1/", "odd/e/", "odd/f/", "untyped//", "odd/../"})
    EXPECT_THROW(parse_events(name, tree.sources()), UsageError) << name;
}

TEST(EventNames, MessagesNameThePartItsPlaceAndTheNearest) {
  EXPECT_EQ(message_of("cpu/umsk=1/"),
            "event 'cpu/umsk=1/', character 5: 'umsk' is no term of PMU cpu; nearest: umask, cmask");
  EXPECT_EQ(message_of("dummy,cycles:uu"),
            "event 'dummy,cycles:uu', character 14: 'u' stands twice among the modifiers");
  EXPECT_EQ(message_of("cycles:pppp"), "event 'cycles:pppp', character 8: 'pppp' asks for more precision than ppp");
  EXPECT_EQ(message_of("cpu/ldlat=70000/"),
            "event 'cpu/ldlat=70000/', character 11: '70000' is too much for ldlat, which has at most 65535");
  EXPECT_EQ(message_of("sched:sched_swich"),
            "event 'sched:sched_swich', character 7: 'sched_swich' is no tracepoint of sched; nearest: sched_switch");
  EXPECT_EQ(message_of("{cycles,instructions"),
            "event '{cycles,instructions', character 21: the end stands where the group must end with '}'");
  EXPECT_EQ(message_of("\x1b[1m"), "event '\\x1b[1m', character 1: '\\x1b[1m' is no event");
}

TEST(EventNames, TracepointsThatCannotBeReadGiveTheReason) {
  const MachineTree tree;
  const std::string tracefs = tree.sysfs() + "/kernel/tracing";
  const std::string mount = "sudo mount -t tracefs tracefs " + tracefs;
  const std::string problem =
      "event 'sched:sched_switch', character 1: 'sched:sched_switch' is no known event, and tracepoints cannot be "
      "read: no folder " +
      tracefs + "/events: ";
  EXPECT_EQ(message_of("sched:sched_switch", tree),
            problem + "mount /sys first: sudo mount -t sysfs sysfs /sys && " + mount);
  std::filesystem::create_directories(tracefs);
  EXPECT_EQ(message_of("sched:sched_switch", tree), problem + mount);
}

// Since Linux 6.6 the folders of events are 0755 and their files 0440, whatever the mode of the mount.
TEST(EventNames, TracepointsWhoseFilesMayNotBeReadAreThere) {
  const MachineTree tree;
  tree.add_tracepoint("sched", "sched_switch", 7);
  const std::string tracefs = tree.sysfs() + "/kernel/tracing";
  const std::string path = tracefs + "/events/sched/sched_switch/id";
  test::forbid(path);
  const test::AsUserOfFiles user;
  const std::string why =
      fmt::format("cannot be read: {}: Permission denied: sudo mount -o remount,mode=750,gid={} {}, or run as root",
                  path, getegid(), tracefs);
  EXPECT_EQ(message_of("sched:sched_switch:u", tree),
            "event 'sched:sched_switch:u', character 7: 'sched_switch' " + why);
  EXPECT_EQ(message_of("sched:sched_*", tree), "event 'sched:sched_*', character 7: 'sched_*' " + why);
  EXPECT_EQ(message_of("sched:sched_swich", tree),
            "event 'sched:sched_swich', character 7: 'sched_swich' is no tracepoint of sched; nearest: sched_switch");
}

}  // namespace perfsift::record
