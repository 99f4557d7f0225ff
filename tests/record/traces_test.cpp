// Arm SPE on a description of a Neoverse N1 (testdata/sysfs/arm_neoverse_n1.txt). The expected attributes follow from
// arm_spe_recording_options() in tools/perf/arch/arm64/util/arm-spe.c and evsel__config() in tools/perf/util/evsel.c,
// unless a comment says why we do something else.
#include "record/traces.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.h"
#include "reader/auxtrace/spe_cpu.h"
#include "record/attr_configuration.h"
#include "record/events/event_parser.h"
#include "record/preset.h"
#include "record/sampler.h"
#include "record/session.h"
#include "record/synthesis/trace_info.h"
#include "tests/record/events/machine_tree.h"

namespace perfsift::record {
namespace {

namespace sample_bit = reader::sample_bit;
using reader::EventAttr;
using test::MachineTree;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint64_t of_every_record = sample_bit::ip | sample_bit::tid | sample_bit::time;

SessionPlan plan_of(const std::string& events, const MachineTree& tree) {
  SessionPlan plan;
  plan.events = parse_events(events, tree.sources());
  plan.target.command = {"true"};
  return plan;
}
SessionPlan plan_of(const std::string& events) { return plan_of(events, MachineTree("arm_neoverse_n1")); }

struct Configured {
  explicit Configured(const SessionPlan& plan) { events = configured_events(plan, std::nullopt, left_out); }
  std::vector<std::string> left_out;
  std::vector<SessionEvent> events;
};

EventAttr traced_attr(const SessionPlan& plan) { return Configured(plan).events.front().attr; }
EventAttr traced_attr(const std::string& event) { return traced_attr(plan_of(event)); }

std::string refusal_of(const SessionPlan& plan) {
  try {
    refuse_impossible_traces(plan);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Traces, IntervalIsTheLeastOfTheMachine) {
  const EventAttr attr = traced_attr("arm_spe//");
  EXPECT_EQ(attr.type, 109u);
  EXPECT_EQ(attr.sample_period, 1024u);  // caps/min_interval
  EXPECT_FALSE(attr.freq());
}

TEST(Traces, IntervalOfAMachineThatNamesNoneIs4096) {
  const MachineTree tree;
  tree.add("arm_spe_0/type", "9");
  EXPECT_EQ(traced_attr(plan_of("arm_spe_0//", tree)).sample_period, 4096u);
}

TEST(Traces, IntervalOfTheEventComesBeforeThatOfTheOption) {
  SessionPlan plan = plan_of("arm_spe_0/period=5000/");
  plan.content.period = 9000;
  EXPECT_EQ(traced_attr(plan).sample_period, 5000u);
  plan.events.front().terms.period.reset();
  EXPECT_EQ(traced_attr(plan).sample_period, 9000u);
}

// perf 7 refuses a frequency, which here may be that of other events.
TEST(Traces, FrequencyIsNotForTraces) {
  SessionPlan plan = plan_of("arm_spe_0//,cpu-clock");
  plan.content.frequency = 99;
  const Configured configured(plan);
  EXPECT_EQ(configured.events[0].attr.sample_period, 1024u);
  EXPECT_EQ(configured.events[1].attr.sample_period, 99u);
  EXPECT_THAT(configured.left_out, ElementsAre(HasSubstr("arm_spe_0//: every 1024 operations instead of a frequency")));
}

TEST(Traces, SampleTypeIsThatOfPerf) {
  EXPECT_EQ(traced_attr("arm_spe_0//").sample_type,
            of_every_record | sample_bit::cpu | sample_bit::data_src | sample_bit::identifier);
}

TEST(Traces, PhysicalAddressesComeWithTheirTerm) {
  EXPECT_EQ(traced_attr("arm_spe_0/pa_enable=1/").sample_type & sample_bit::phys_addr, sample_bit::phys_addr);
  EXPECT_EQ(traced_attr("arm_spe_0//").sample_type & sample_bit::phys_addr, 0u);
}

TEST(Traces, TraceHasTimesUnlessTheEventSaysOtherwise) {
  EXPECT_EQ(traced_attr("arm_spe_0//").config, 0x1u);  // ts_enable: config:0
  EXPECT_EQ(traced_attr("arm_spe_0/load_filter=1/").config, 0x200000001u);
  EXPECT_EQ(traced_attr("arm_spe_0/ts_enable=0,load_filter=1/").config, 0x200000000u);
}

TEST(Traces, TraceHasNeitherStacksNorRegisters) {
  SessionPlan plan = plan_of("arm_spe_0//");
  plan.content.call_graph = CallGraph::dwarf;
  plan.content.branch_filter = reader::branch_sample::any;
  plan.content.interrupt_registers = 0xff;
  const EventAttr attr = traced_attr(plan);
  EXPECT_EQ(attr.sample_type, traced_attr("arm_spe_0//").sample_type);
  EXPECT_EQ(attr.sample_stack_user, 0u);
}

TEST(Traces, OptionsOfMemoryAccessesAddTheirFields) {
  SessionPlan plan = plan_of("arm_spe_0//");
  plan.content.addresses = plan.content.weight = true;
  EXPECT_EQ(traced_attr(plan).sample_type,
            traced_attr("arm_spe_0//").sample_type | sample_bit::addr | sample_bit::weight_struct);
}

// The scheduler's clock, to which the kernel converts the counter of the hardware.
TEST(Traces, AllEventsHaveTheDefaultClock) {
  for (const SessionEvent& event : Configured(plan_of("arm_spe_0//,cpu-clock")).events) {
    EXPECT_FALSE(event.attr.use_clockid()) << event.name;
    EXPECT_EQ(event.attr.clock_id, 0) << event.name;
  }
  EXPECT_TRUE(traced_attr("cpu-clock").use_clockid());
}

TEST(Traces, DummyEventTracksSwitchesAndCpus) {
  const Configured configured(plan_of("arm_spe_0//"));
  ASSERT_EQ(configured.events.size(), 2u);
  const SessionEvent& dummy = configured.events.back();
  EXPECT_EQ(dummy.name, "dummy:u");
  EXPECT_TRUE(dummy.tracks);
  EXPECT_FALSE(dummy.traces);
  EXPECT_TRUE(configured.events.front().traces);
  EXPECT_EQ(dummy.attr.sample_period, 1u);
  EXPECT_TRUE(dummy.attr.context_switch());
  EXPECT_EQ(dummy.attr.sample_type, of_every_record | sample_bit::cpu | sample_bit::identifier);
}

TEST(Traces, OtherEventsStayAsTheyAre) {
  SessionPlan with = plan_of("cpu-clock,task-clock,arm_spe_0//"), without = plan_of("cpu-clock,task-clock");
  with.content.call_graph = without.content.call_graph = CallGraph::frame_pointers;
  EXPECT_EQ(Configured(with).events.front().attr.sample_type, Configured(without).events.front().attr.sample_type);
}

TEST(Traces, EventsOfOtherTraceUnitsAreRefused) {
  MachineTree tree;
  for (const char* name : {"intel_pt", "cs_etm", "hisi_ptt0_0"}) tree.add(std::string(name) + "/type", "8");
  EXPECT_EQ(refusal_of(plan_of("intel_pt//", tree)),
            "intel_pt//: perfsift records AUX areas of arm_spe only: use perf record for intel_pt");
  EXPECT_THAT(refusal_of(plan_of("cs_etm//", tree)), HasSubstr("use perf record for cs_etm"));
  EXPECT_THAT(refusal_of(plan_of("hisi_ptt0_0//", tree)), HasSubstr("use perf record for hisi_ptt0_0"));
  EXPECT_EQ(refusal_of(plan_of("cpu-clock")), "");
}

TEST(Traces, SessionAndSamplerRefuse) {
  MachineTree tree("arm_neoverse_n1");
  tree.add("intel_pt/type", "8");
  EXPECT_THROW(Session(plan_of("intel_pt//", tree)), UsageError);
  EXPECT_THROW(Sampler({.events = parse_events("arm_spe_0//", tree.sources())}), UsageError);
}

TEST(Traces, OneEventOfAPmu) {
  EXPECT_THAT(refusal_of(plan_of("arm_spe_0//,arm_spe_0/load_filter=1/")), HasSubstr("arm_spe_0 writes one trace"));
  MachineTree tree;
  tree.add("arm_spe_0/type", "9");
  tree.add("arm_spe_1/type", "10");
  EXPECT_EQ(refusal_of(plan_of("arm_spe//", tree)), "");
}

TEST(Traces, AreNotOverwritten) {
  SessionPlan plan = plan_of("arm_spe_0//");
  plan.rings.overwritten = true;
  EXPECT_THAT(refusal_of(plan), HasSubstr("an AUX area is not overwritten"));
}

TEST(Traces, AreasHaveTheSizesOfPerf) {
  EXPECT_EQ(aux_area_bytes({}, true), 4u << 20);
  EXPECT_EQ(aux_area_bytes({}, false), 128u << 10);
  EXPECT_EQ(aux_area_bytes({.aux_bytes = 1}, true), std::max<std::size_t>(8192, 2 * sysconf(_SC_PAGESIZE)));
  EXPECT_EQ(aux_area_bytes({.aux_bytes = 5u << 20}, false), 8u << 20);
}

TEST(Traces, MemoryPresetsPickThem) {
  const MachineTree tree("arm_neoverse_n1");
  const auto opens = [](const EventRequest& event) { return event.trace.has_value(); };
  EXPECT_THAT(choose_preset(Preset::mem, tree.sources(), opens).events,
              "arm_spe/ts_enable=1,pa_enable=1,load_filter=1,store_filter=1,min_latency=30/");
  // arm_spe_pmu_event_init() refuses physical addresses without CAP_PERFMON.
  const auto without_privileges = [&](const EventRequest& event) {
    return event.trace && (event.attr.config & event.trace->physical_addresses) == 0;
  };
  EXPECT_THAT(choose_preset(Preset::c2c, tree.sources(), without_privileges).events,
              "arm_spe/ts_enable=1,load_filter=1,store_filter=1,min_latency=30/");
}

void add_cpus(const MachineTree& tree, std::initializer_list<const char*> midrs) {
  int number = 0;
  for (const char* midr : midrs) {
    const std::string cpu = tree.sysfs() + "/devices/system/cpu/cpu" + std::to_string(number++);
    test::write_small_file(cpu + "/regs/identification/midr_el1", midr);
  }
}

// enum in tools/perf/util/arm-spe.h of perf 6.1: ARM_SPE_PMU_TYPE, ARM_SPE_PER_CPU_MMAPS.
TEST(TraceInfo, EqualCpusNeedNoDescription) {
  const MachineTree tree("arm_neoverse_n1");
  add_cpus(tree, {"0x00000000413fd0c1", "0x00000000413fd0c1"});
  const auto info = trace_info(parse_events("cpu-clock,arm_spe_0//", tree.sources()), tree.sysfs());
  ASSERT_TRUE(info);
  EXPECT_EQ(info->type, 4u);  // PERF_AUXTRACE_ARM_SPE
  EXPECT_THAT(info->settings, ElementsAre(109, 0));
}

// The enums of perf 7: ARM_SPE_HEADER_VERSION and ARM_SPE_MAGIC. The PMU of the tree serves CPUs 0 to 3.
TEST(TraceInfo, DifferentCpusAreDescribed) {
  const MachineTree tree("arm_neoverse_n1");
  add_cpus(tree, {"0x413fd0c1", "0x413fd0c1", "0x413fd0c1", "0x413fd0c1", "0x411fd050"});
  tree.add("arm_spe_0/caps/event_filter", "ff");
  const auto info = trace_info(parse_events("arm_spe_0//", tree.sources()), tree.sysfs());
  ASSERT_TRUE(info);
  ASSERT_EQ(info->settings.size(), 4u + 5 * 7);
  EXPECT_THAT(std::vector(info->settings.begin(), info->settings.begin() + 11),
              ElementsAre(2, 4, 109, 5, 0x1010101010101010, 0, 4, 0x413fd0c1, 109, 1024, 0xff));
  EXPECT_THAT(std::vector(info->settings.end() - 7, info->settings.end()),
              ElementsAre(0x1010101010101010, 4, 4, 0x411fd050, ~std::uint64_t{0}, 0, 0));
  const auto read = reader::decode_spe_settings(*info);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->pmu_type, 109u);
  EXPECT_EQ(read->cpus.size(), 5u);
}

TEST(TraceInfo, IsMissingWithoutATrace) {
  const MachineTree tree("arm_neoverse_n1");
  EXPECT_FALSE(trace_info(parse_events("cpu-clock", tree.sources()), tree.sysfs()));
}

}  // namespace
}  // namespace perfsift::record
