// The text of the header: perf 6.1 --header -I printed it for a recording with these contents.

#include <cstdlib>

#include <gtest/gtest.h>

#include "output/script/header_text.h"

namespace perfsift::output {
namespace {

reader::Features features() {
  reader::Features f;
  f.hostname = "vm";
  f.os_release = "6.18.44";
  f.arch = "x86_64";
  f.cpus_online = 2;
  f.cpus_available = 4;
  f.command_line = {"/usr/bin/perf", "record", "sh", "-c", "it's"};
  reader::EventDescription event{.attr = {}, .name = "cpu-clock", .ids = {2680, 2681}};
  event.attr.type = 1;
  event.attr.size = 128;
  event.attr.sample_period = 4000;
  event.attr.sample_type = 0x127;                   // IP TID TIME CALLCHAIN PERIOD
  event.attr.read_format = 0x14;                    // ID LOST
  event.attr.flags = 0x1 | 0x2 | 0x400 | 2u << 15;  // disabled, inherit, freq, precise_ip 2
  event.attr.branch_sample_type = 0x801;            // USER CALL_STACK
  event.attr.config1 = 0x10;
  f.event_descriptions = {event};
  f.cpu_topology =
      reader::CpuTopology{.core_siblings = {"0-1"},
                          .thread_siblings = {"0", "1"},
                          .die_siblings = {"0-1"},
                          .cpus = {{.core = 0, .socket = 0, .die = 0}, {.core = 1, .socket = 0, .die = 0}}};
  f.caches = {{.level = 1, .line_size = 64, .sets = 64, .ways = 8, .type = "Data", .size = "32K", .cpus = "0"}};
  f.sample_time = {{1616944178000, 1617717513000}};
  f.memory_topology = reader::MemoryTopology{
      .version = 1, .block_size = 0x8000000, .nodes = {{.node = 0, .bitmap = {0xff00ffffff}, .bits = 64}}};
  f.pmu_mappings = {{1, "software"}, {8, "uprobe"}};
  f.present = {3, 4, 6, 7, 11, 12, 13, 16, 20, 21, 22};
  return f;
}

std::string header(const reader::FileHeader& file, bool full, const reader::Features& f = features(),
                   analysis::PerfStyle style = analysis::PerfStyle::newest) {
  setenv("TZ", "UTC", 1);
  TextWriter out;
  print_header(out, file, f, {}, 1700000000, style, full);
  return std::string(out.view());
}

constexpr const char* header_start =
    "# ========\n"
    "# captured on    : Tue Nov 14 22:13:20 2023\n"
    "# header version : 1\n";

constexpr const char* event_line =
    "# event : name = cpu-clock, , id = { 2680, 2681 }, type = 1, size = 128, "
    "{ sample_period, sample_freq } = 4000, sample_type = IP|TID|TIME|CALLCHAIN|PERIOD, read_format = ID|LOST, "
    "disabled = 1, inherit = 1, freq = 1, precise_ip = 2, { bp_addr, config1 } = 0x10, "
    "branch_sample_type = USER|CALL_STACK\n";

TEST(HeaderText, EverythingWithTheTopology) {
  EXPECT_EQ(header({.data_offset = 264, .data_size = 1000}, true),
            std::string(header_start) +
                "# data offset    : 264\n"
                "# data size      : 1000\n"
                "# feat offset    : 1264\n"
                "# hostname : vm\n"
                "# os release : 6.18.44\n"
                "# arch : x86_64\n"
                "# nrcpus online : 2\n"
                "# nrcpus avail : 4\n"
                "# cmdline : /usr/bin/perf record sh -c it\\'s \n" +
                event_line +
                "# sibling sockets : 0-1\n"
                "# sibling dies    : 0-1\n"
                "# sibling threads : 0\n"
                "# sibling threads : 1\n"
                "# CPU 0: Core ID 0, Die ID 0, Socket ID 0\n"
                "# CPU 1: Core ID 1, Die ID 0, Socket ID 0\n"
                "# pmu mappings: software = 1, uprobe = 8\n"
                "# CPU cache info:\n"
                "#  L1 Data                 32K [0]\n"
                "# time of first sample : 1616.944178\n"
                "# time of last sample : 1617.717513\n"
                "# sample duration :    773.335 ms\n"
                "# memory nodes (nr 1, block size 0x8000000):\n"
                "#    0 [4G]: 0-23,32-39\n"
                "# missing features: TRACING_DATA BUILD_ID VERSION CPUDESC CPUID TOTAL_MEM NUMA_TOPOLOGY BRANCH_STACK "
                "GROUP_DESC AUXTRACE STAT CLOCKID DIR_FORMAT BPF_PROG_INFO BPF_BTF COMPRESSED CPU_PMU_CAPS CLOCK_DATA "
                "HYBRID_TOPOLOGY PMU_CAPS \n"
                "# ========\n#\n");
}

TEST(HeaderText, TheTopologyIsOnlyMentionedByDefault) {
  const std::string text = header({.data_offset = 264, .data_size = 1000}, false);
  EXPECT_NE(text.find("# CPU_TOPOLOGY info available, use -I to display\n# pmu mappings: software = 1, uprobe = 8\n"
                      "# CACHE info available, use -I to display\n"),
            std::string::npos);
}

TEST(HeaderText, ThePipeFormHasNoSections) {
  EXPECT_EQ(header({.pipe = true, .data_offset = 16}, false), std::string(header_start) +
                                                                  "# data offset    : 0\n"
                                                                  "# data size      : 0\n"
                                                                  "# feat offset    : 0\n"
                                                                  "# ========\n#\n");
}

// Features that perf 7.2 added, in perf's format.
reader::Features features_of_perf_7() {
  reader::Features f;
  f.hostname = "vm";
  f.cpu_domains = reader::CpuDomains{.schedstat_version = 17,
                                     .most_levels = 2,
                                     .cpus = {{.cpu = 0, .levels = {{0, "SMT", "1", "0"}, {1, "MC", "3", "0-1"}}},
                                              {.cpu = 1, .levels = {{1, "MC", "3", "0-1"}}}}};
  f.e_machine = {62, 0};
  f.cache_line_size = 64;
  f.present = {3, 32, 33, 34};
  return f;
}

constexpr const char* domains_of_perf_7 =
    "# schedstat version\t: 17\n"
    "# Maximum sched domains\t: 2\n"
    "# cpu\t\t: 0\n"
    "# nr_domains\t: 2\n"
    "# Domain\t\t: 0\n"
    "# Domain name      : SMT\n"
    "# Domain cpu map   : 1\n"
    "# Domain cpu list  : 0\n"
    "# Domain\t\t: 1\n"
    "# Domain name      : MC\n"
    "# Domain cpu map   : 3\n"
    "# Domain cpu list  : 0-1\n"
    "# cpu\t\t: 1\n"
    "# nr_domains\t: 1\n"
    "# Domain\t\t: 1\n"
    "# Domain name      : MC\n"
    "# Domain cpu map   : 3\n"
    "# Domain cpu list  : 0-1\n";
constexpr const char* machine_of_perf_7 =
    "# e_machine : 62\n"
    "#   e_flags : 0\n"
    "# cacheline size: 64\n";

TEST(HeaderText, HasTheFeaturesOfPerf7) {
  const std::string full = header({}, true, features_of_perf_7()), brief = header({}, false, features_of_perf_7());
  EXPECT_NE(full.find(std::string("# hostname : vm\n") + domains_of_perf_7 + machine_of_perf_7 + "# missing"),
            std::string::npos)
      << full;
  EXPECT_NE(brief.find(std::string("# hostname : vm\n# CPU_DOMAIN_INFO info available, use -I to display\n") +
                       machine_of_perf_7),
            std::string::npos)
      << brief;
}

TEST(HeaderText, OfOldSchedstatHasNoNamesOfDomains) {
  reader::Features f = features_of_perf_7();
  f.cpu_domains->schedstat_version = 15;
  const std::string text = header({}, true, f);
  EXPECT_EQ(text.find("Domain name"), std::string::npos);
  EXPECT_NE(text.find("# Domain\t\t: 0\n# Domain cpu map   : 1\n"), std::string::npos);
}

TEST(HeaderText, MissesAFeatureOfPerf7WhereItsWriterKnewOfIt) {
  reader::Features f = features_of_perf_7();
  f.present = {3, 33, 34};
  EXPECT_NE(header({}, true, f).find("PMU_CAPS CPU_DOMAIN_INFO \n"), std::string::npos);
  f.present = {3};
  EXPECT_NE(header({}, true, f).find("PMU_CAPS \n"), std::string::npos);
}

TEST(HeaderText, OfPerf61HasNoneOfThem) {
  const std::string text = header({}, true, features_of_perf_7(), analysis::PerfStyle::perf_6_1);
  EXPECT_EQ(text.find("e_machine"), std::string::npos);
  EXPECT_EQ(text.find("omain"), std::string::npos);
  EXPECT_NE(text.find("PMU_CAPS \n"), std::string::npos);
}

}  // namespace
}  // namespace perfsift::output
