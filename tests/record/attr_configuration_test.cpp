// The expected words are what `perf record -vv` of perf 6.1 prints for the same options, unless a comment says why we
// do something else.
#include "record/attr_configuration.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include "base/error.h"
#include "reader/format/attr_names.h"

namespace perfsift::record {
namespace {

namespace flag = reader::attr_flag;
using reader::EventAttr;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

EventRequest software_event(std::uint64_t config, std::string name) {
  EventRequest request;
  request.attr.type = reader::event_type::software;
  request.attr.config = config;
  request.attr.set(flag::exclude_guest);
  request.name = std::move(name);
  return request;
}
EventRequest cpu_clock() { return software_event(0, "cpu-clock"); }
EventRequest task_clock() { return software_event(1, "task-clock"); }

EventRequest sched_switch() {
  EventRequest request;
  request.attr.type = reader::event_type::tracepoint;
  request.attr.config = 0x174;
  request.name = "sched:sched_switch";
  return request;
}

// perf record COMMAND, without the build ids and the clock that our sessions have by default and perf has not.
SessionPlan plan_of_command(std::vector<EventRequest> events) {
  SessionPlan plan;
  for (std::size_t index = 0; index < events.size(); ++index) events[index].leader = index;
  plan.events = std::move(events);
  plan.target.command = {"true"};
  plan.side_band.build_ids = false;
  return plan;
}

SessionPlan plan_of_system(std::vector<EventRequest> events) {
  SessionPlan plan = plan_of_command(std::move(events));
  plan.target.system_wide = true;
  return plan;
}

std::vector<SessionEvent> configured(const SessionPlan& plan) {
  std::vector<std::string> left_out;
  return configured_events(plan, std::nullopt, left_out);
}

std::string joined(std::uint64_t word, std::span<const reader::BitName> names) {
  return fmt::format("{}", fmt::join(reader::names_of_bits(word, names), "|"));
}
std::string sample_type(const EventAttr& attr) { return joined(attr.sample_type, reader::sample_type_names()); }
std::string read_format(const EventAttr& attr) { return joined(attr.read_format, reader::read_format_names()); }
// Without the flags that all our events have: our rings have a watermark, our times are those of CLOCK_MONOTONIC.
std::string flags(EventAttr attr) {
  EXPECT_TRUE(attr.watermark() && attr.use_clockid() && attr.sample_id_all());
  for (const unsigned bit : {flag::watermark, flag::use_clockid, flag::sample_id_all}) attr.set(bit, false);
  return joined(attr.flags, reader::attr_flag_names());
}

TEST(AttrConfiguration, OneEventOfACommand) {
  const auto events = configured(plan_of_command({cpu_clock()}));
  ASSERT_EQ(events.size(), 1u);
  const EventAttr& attr = events[0].attr;
  EXPECT_EQ(sample_type(attr), "IP|TID|TIME|PERIOD");
  EXPECT_EQ(read_format(attr), "ID|LOST");
  EXPECT_EQ(flags(attr),
            "disabled|inherit|mmap|comm|freq|enable_on_exec|task|exclude_guest|mmap2|comm_exec|ksymbol|bpf_event");
  EXPECT_EQ(attr.sample_period, 4000u);
  EXPECT_EQ(attr.clock_id, 1);
  EXPECT_TRUE(events[0].tracks);
}

TEST(AttrConfiguration, FramePointersAddACallchain) {
  SessionPlan plan = plan_of_command({cpu_clock()});
  plan.content.call_graph = CallGraph::frame_pointers;
  plan.content.max_stack = 20;
  const EventAttr attr = configured(plan)[0].attr;
  EXPECT_EQ(sample_type(attr), "IP|TID|TIME|CALLCHAIN|PERIOD");
  EXPECT_EQ(attr.sample_max_stack, 20);
}

// perf also asks for ADDR, DATA_SRC and mmap_data with dwarf; unwinding does not read them.
TEST(AttrConfiguration, DwarfCopiesRegistersAndTheStack) {
  SessionPlan plan = plan_of_command({cpu_clock()});
  plan.content.call_graph = CallGraph::dwarf;
  const EventAttr attr = configured(plan)[0].attr;
  EXPECT_EQ(sample_type(attr), "IP|TID|TIME|CALLCHAIN|PERIOD|REGS_USER|STACK_USER");
  EXPECT_TRUE(attr.exclude_callchain_user());
  EXPECT_FALSE(attr.exclude_callchain_kernel());
  EXPECT_EQ(attr.sample_stack_user, 8192u);
#if defined(__x86_64__)
  EXPECT_EQ(attr.sample_regs_user, 0xff0fffu);
#elif defined(__aarch64__)
  EXPECT_EQ(attr.sample_regs_user, 0x1ffffffffu);  // PERF_REGS_MASK in tools/perf/arch/arm64/include/perf_regs.h
#endif
}

TEST(AttrConfiguration, BranchRecordsMakeACallStack) {
  SessionPlan plan = plan_of_command({cpu_clock()});
  plan.content.call_graph = CallGraph::branch_stack;
  const EventAttr attr = configured(plan)[0].attr;
  EXPECT_EQ(sample_type(attr), "IP|TID|TIME|CALLCHAIN|PERIOD|BRANCH_STACK");
  EXPECT_EQ(joined(attr.branch_sample_type, reader::branch_sample_type_names()),
            "USER|CALL_STACK|NO_FLAGS|NO_CYCLES|HW_INDEX");
}

TEST(AttrConfiguration, UserCallchainsLeaveOutThoseOfTheKernel) {
  SessionPlan plan = plan_of_command({cpu_clock()});
  plan.content.call_graph = CallGraph::frame_pointers;
  plan.content.kernel_callchains = false;
  const EventAttr attr = configured(plan)[0].attr;
  EXPECT_TRUE(attr.exclude_callchain_kernel());
  EXPECT_FALSE(attr.exclude_callchain_user());
}

TEST(AttrConfiguration, DataAddressesPagesWeightsAndTransactions) {
  SessionPlan plan = plan_of_command({cpu_clock()});
  plan.content.addresses = plan.content.physical_addresses = plan.content.code_page_size = true;
  const EventAttr attr = configured(plan)[0].attr;
  EXPECT_EQ(sample_type(attr), "IP|TID|TIME|ADDR|PERIOD|DATA_SRC|PHYS_ADDR|CODE_PAGE_SIZE");
  EXPECT_TRUE(attr.mmap_data());

  plan.content = {};
  plan.content.weight = true;
  EXPECT_EQ(sample_type(configured(plan)[0].attr), "IP|TID|TIME|PERIOD|WEIGHT_STRUCT");
}

TEST(AttrConfiguration, RegistersAreAskedForByTheirMasks) {
  SessionPlan plan = plan_of_command({cpu_clock()});
  plan.content.user_registers = plan.content.interrupt_registers = 0x100;
  const EventAttr attr = configured(plan)[0].attr;
  EXPECT_EQ(sample_type(attr), "IP|TID|TIME|PERIOD|REGS_USER|REGS_INTR");
  EXPECT_EQ(attr.sample_regs_user, 0x100u);
  EXPECT_EQ(attr.sample_regs_intr, 0x100u);
}

// perf record -s -vv: inherit_stat, read_format TOTAL_TIME_ENABLED|TOTAL_TIME_RUNNING|ID|LOST.
TEST(AttrConfiguration, CountsOfThreadsAreThoseOfInheritedEvents) {
  SessionPlan plan = plan_of_command({cpu_clock()});
  plan.content.thread_counts = true;
  const EventAttr attr = configured(plan)[0].attr;
  EXPECT_TRUE(attr.inherit_stat());
  EXPECT_TRUE(attr.inherit());
  EXPECT_EQ(joined(attr.read_format, reader::read_format_names()), "TOTAL_TIME_ENABLED|TOTAL_TIME_RUNNING|ID|LOST");
}

// perf record --running-time -vv, -n -vv, -P -c 1000 -vv, -R -vv, --sample-identifier -vv.
TEST(AttrConfiguration, FieldsThatAreAskedForByName) {
  SessionPlan plan = plan_of_command({cpu_clock()});
  plan.content.running_time = true;
  const EventAttr timed = configured(plan)[0].attr;
  EXPECT_EQ(joined(timed.read_format, reader::read_format_names()), "TOTAL_TIME_ENABLED|TOTAL_TIME_RUNNING|ID|LOST");
  EXPECT_FALSE(timed.inherit_stat());

  plan.content = {};
  plan.content.no_samples = true;
  const EventAttr silent = configured(plan)[0].attr;
  EXPECT_EQ(silent.sample_period, 0u);
  EXPECT_TRUE(silent.freq());
  EXPECT_EQ(sample_type(silent), "IP|TID|TIME|PERIOD");

  plan.content = {};
  plan.content.period = 1000;
  plan.content.always_period = true;
  EXPECT_EQ(sample_type(configured(plan)[0].attr), "IP|TID|TIME|PERIOD");

  plan.content = {};
  plan.content.always_raw = true;
  EXPECT_EQ(sample_type(configured(plan)[0].attr), "IP|TID|TIME|CPU|PERIOD|RAW");

  plan.content = {};
  plan.content.identifier = true;
  EXPECT_EQ(sample_type(configured(plan)[0].attr), "IP|TID|TIME|PERIOD|IDENTIFIER");
}

TEST(AttrConfiguration, AStrictFrequencyIsNotLowered) {
  SessionPlan plan = plan_of_command({cpu_clock()});
  plan.content.frequency = 5000;
  std::vector<std::string> left_out;
  EXPECT_EQ(configured_events(plan, 1000, left_out)[0].attr.sample_period, 1000u);
  plan.content.strict_frequency = true;
  EXPECT_THROW(configured_events(plan, 1000, left_out), UsageError);
}

TEST(AttrConfiguration, FixedPeriodNeedsNoPeriodInEachSample) {
  SessionPlan plan = plan_of_command({cpu_clock()});
  plan.content.period = 1000;
  const EventAttr attr = configured(plan)[0].attr;
  EXPECT_EQ(sample_type(attr), "IP|TID|TIME");
  EXPECT_EQ(attr.sample_period, 1000u);
  EXPECT_FALSE(attr.freq());
}

TEST(AttrConfiguration, TermsOfAnEventComeBeforeOptions) {
  SessionPlan plan = plan_of_command({cpu_clock(), cpu_clock()});
  plan.content.frequency = 99;
  plan.content.call_graph = CallGraph::dwarf;
  plan.events[0].terms.period = 5000;
  plan.events[0].terms.call_graph = "no";
  plan.events[0].terms.inherit = false;
  plan.events[1].terms.call_graph = "fp";
  plan.events[1].terms.max_stack = 3;
  const auto events = configured(plan);
  EXPECT_EQ(events[0].attr.sample_period, 5000u);
  EXPECT_FALSE(events[0].attr.freq() || events[0].attr.inherit());
  EXPECT_FALSE(events[0].attr.has(reader::sample_bit::callchain));
  EXPECT_EQ(events[1].attr.sample_period, 99u);
  EXPECT_TRUE(events[1].attr.freq() && events[1].attr.inherit());
  EXPECT_FALSE(events[1].attr.has(reader::sample_bit::stack_user));
  EXPECT_EQ(events[1].attr.sample_max_stack, 3);
}

TEST(AttrConfiguration, EachTracepointIsASample) {
  const EventAttr attr = configured(plan_of_command({sched_switch()}))[0].attr;
  EXPECT_EQ(sample_type(attr), "IP|TID|TIME|CPU|PERIOD|RAW");
  EXPECT_EQ(attr.sample_period, 1u);
  EXPECT_FALSE(attr.freq());
}

TEST(AttrConfiguration, OptionOfTheCommandChangesThePeriodOfATracepoint) {
  SessionPlan plan = plan_of_command({sched_switch()});
  plan.content.frequency = 99;
  const EventAttr attr = configured(plan)[0].attr;
  EXPECT_EQ(attr.sample_period, 99u);
  EXPECT_TRUE(attr.freq());
}

TEST(AttrConfiguration, SystemWideSessionHasADummyEventForOtherRecords) {
  const auto events = configured(plan_of_system({cpu_clock()}));
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(sample_type(events[0].attr), "IP|TID|TIME|CPU|PERIOD|IDENTIFIER");
  EXPECT_EQ(flags(events[0].attr), "disabled|inherit|freq|exclude_guest");
  EXPECT_EQ(sample_type(events[1].attr), "IP|TID|TIME|CPU|IDENTIFIER");
  EXPECT_EQ(events[1].attr.config, 9u);
  // perf 7.x excludes the kernel from the dummy event, too, and calls it dummy:u.
  EXPECT_EQ(flags(events[1].attr),
            "inherit|exclude_kernel|exclude_hv|mmap|comm|task|mmap2|comm_exec|ksymbol|bpf_event");
  EXPECT_EQ(events[1].name, "dummy:u");
  EXPECT_TRUE(events[1].tracks);
  EXPECT_FALSE(events[1].request.has_value());
}

// perf lets the first event track, which is disabled while perf reads /proc.
TEST(AttrConfiguration, ProcessThatRunsAlreadyIsTrackedFromTheBeginning) {
  SessionPlan plan = plan_of_command({cpu_clock()});
  plan.target.command.clear();
  plan.target.processes = {1};
  const auto events = configured(plan);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(flags(events[0].attr), "disabled|inherit|freq|exclude_guest");
  EXPECT_FALSE(events[1].attr.disabled());
  EXPECT_EQ(sample_type(events[1].attr), "IP|TID|TIME|IDENTIFIER");
}

TEST(AttrConfiguration, DelayedCommandIsNotEnabledOnExec) {
  SessionPlan plan = plan_of_command({cpu_clock()});
  plan.delay = std::chrono::milliseconds(10);
  const auto events = configured(plan);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(flags(events[0].attr), "disabled|inherit|freq|exclude_guest");
  EXPECT_FALSE(events[1].attr.disabled());
}

TEST(AttrConfiguration, SideBandRecordsAreAskedForByTheTrackingEvent) {
  SessionPlan plan = plan_of_command({cpu_clock(), task_clock()});
  plan.side_band = {.switches = true, .namespaces = true, .cgroups = true, .build_ids = true, .kernel_code = false};
  plan.content.cgroup = true;
  const auto events = configured(plan);
  EXPECT_EQ(flags(events[0].attr),
            "disabled|inherit|mmap|comm|freq|enable_on_exec|task|exclude_guest|mmap2|comm_exec|context_switch|"
            "namespaces|cgroup|build_id");
  EXPECT_EQ(flags(events[1].attr), "disabled|inherit|freq|enable_on_exec|exclude_guest");
  EXPECT_EQ(sample_type(events[1].attr), "IP|TID|TIME|PERIOD|IDENTIFIER|CGROUP");
}

// perf uses ID instead of IDENTIFIER where all events have one sample_type.
TEST(AttrConfiguration, LeaderSamplesAndMembersOnlyCount) {
  SessionPlan plan = plan_of_command({cpu_clock(), task_clock()});
  plan.events[1].leader = 0;
  plan.events[0].sampled_by_leader = plan.events[1].sampled_by_leader = true;
  std::vector<std::string> left_out;
  const auto events = configured_events(plan, std::nullopt, left_out);
  EXPECT_EQ(sample_type(events[0].attr), "IP|TID|TIME|READ|PERIOD|IDENTIFIER");
  EXPECT_EQ(read_format(events[0].attr), "ID|GROUP|LOST");
  EXPECT_EQ(flags(events[0].attr), "disabled|freq|enable_on_exec|exclude_guest");
  EXPECT_EQ(sample_type(events[1].attr), "IP|TID|TIME|READ|PERIOD|IDENTIFIER");
  EXPECT_EQ(events[1].attr.sample_period, 0u);
  EXPECT_EQ(flags(events[1].attr), "exclude_guest");
  EXPECT_THAT(left_out, ElementsAre(HasSubstr("not inherited")));
}

TEST(AttrConfiguration, GroupIsStartedByItsLeader) {
  SessionPlan plan = plan_of_command({cpu_clock(), task_clock()});
  plan.events[1].leader = 0;
  const auto events = configured(plan);
  EXPECT_EQ(flags(events[1].attr), "inherit|freq|exclude_guest");
  EXPECT_EQ(events[1].attr.sample_period, 4000u);
}

// record__config_tracking_events(): records beside samples must not be overwritten.
TEST(AttrConfiguration, OverwrittenSamplesLeaveOtherRecordsInOrdinaryRings) {
  SessionPlan plan = plan_of_command({cpu_clock()});
  plan.rings.overwritten = true;
  const auto events = configured(plan);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_TRUE(events[0].attr.write_backward());
  EXPECT_FALSE(events[1].attr.write_backward());
}

TEST(AttrConfiguration, ThreadsAreRecordedWithoutWhatTheyStart) {
  SessionPlan plan = plan_of_command({cpu_clock()});
  plan.target.command.clear();
  plan.target.threads = {1};
  const auto events = configured(plan);
  EXPECT_FALSE(events[0].attr.inherit());
  EXPECT_FALSE(events[1].attr.inherit());
}

TEST(AttrConfiguration, FrequencyIsLimitedByTheKernelsSettingAndThatIsSaid) {
  SessionPlan plan = plan_of_command({cpu_clock()});
  plan.content.frequency = 50'000;
  std::vector<std::string> left_out;
  EXPECT_EQ(configured_events(plan, 20'000, left_out)[0].attr.sample_period, 20'000u);
  EXPECT_THAT(left_out, ElementsAre("cpu-clock: 20000 samples a second instead of 50000: "
                                    "kernel.perf_event_max_sample_rate allows no more"));
  left_out.clear();
  EXPECT_EQ(configured_events(plan, 50'000, left_out)[0].attr.sample_period, 50'000u);
  EXPECT_THAT(left_out, IsEmpty());
}

TEST(AttrConfiguration, MostPreciseEventBeginsAtTheHighestLevel) {
  SessionPlan plan = plan_of_command({cpu_clock()});
  plan.events[0].most_precise = true;
  EXPECT_EQ(configured(plan)[0].attr.precise_ip(), 3u);
}

TEST(AttrConfiguration, WatermarkIsAShareOfTheRing) {
  SessionPlan plan = plan_of_command({cpu_clock()});
  plan.rings.bytes = 3 << 20;  // rounded up to 4 MiB
  plan.rings.watermark = 0.125;
  EXPECT_EQ(ring_bytes(plan.rings), std::size_t{4} << 20);
  EXPECT_EQ(configured(plan)[0].attr.wakeup_events, 1u << 19);
}

}  // namespace
}  // namespace perfsift::record
