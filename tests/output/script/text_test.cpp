// The small printers of perfsift script. The expected texts follow the format strings in perf 6.1's builtin-script.c
// and mem-events.c, or are perf's output.

#include <array>
#include <cstdlib>
#include <ctime>

#include <gtest/gtest.h>

#include "analysis/memory/data_source_text.h"
#include "output/script/branch_flags.h"
#include "output/script/line_start.h"
#include "output/script/registers.h"
#include "output/text_writer.h"

namespace perfsift::output {
namespace {

using analysis::data_source_text;

TEST(TextWriter, NumbersAreFormattedAsPrintfDoes) {
  const std::uint64_t values[] = {0, 7, 4096, 18446744073709551615u};
  for (const std::uint64_t value : values) {
    std::array<char, 128> expected{};
    std::snprintf(expected.data(), expected.size(), "%16lx|%lx|%10lu|%09lu|%5d", value, value, value, value,
                  static_cast<int>(value));
    TextWriter out;
    out.hex(value, 16);
    out.character('|');
    out.hex(value);
    out.character('|');
    out.decimal(value, 10);
    out.character('|');
    out.decimal(value, 9, '0');
    out.character('|');
    out.signed_decimal(static_cast<int>(value), 5);
    EXPECT_EQ(out.view(), expected.data());
  }
}

TEST(DataSource, SaysWhereALoadWasServedFrom) {
  // LOAD, L1 hit, snoop none, not locked, L1 or L2 TLB hit: 0x68100142 in perf's own tests.
  EXPECT_EQ(data_source_text(0x68100142), "|OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A");
  // The value that perf uses for a missing data source: all fields are not available.
  EXPECT_EQ(data_source_text(0x5080021), "|OP N/A|LVL N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A");
}

TEST(DataSource, RemoteLevelsAndBlockedLoads) {
  const std::uint64_t store = 0x4, level_number_ram = std::uint64_t{0xd} << 33, remote = std::uint64_t{1} << 37;
  const std::uint64_t peer = std::uint64_t{2} << 38, blocked = std::uint64_t{6} << 40, hops = std::uint64_t{2} << 43;
  EXPECT_EQ(data_source_text(store | level_number_ram | remote | peer | blocked | hops),
            "|OP STORE|LVL Remote node, same socket RAM |SNP Peer|TLB N/A|LCK No|BLK  Data Addr");
  const std::uint64_t remote_cache_miss = (0x400u | 0x4u) << 5;
  EXPECT_EQ(data_source_text(remote_cache_miss),
            "|OP No|LVL Remote Cache (1 hop) miss|SNP N/A|TLB N/A|LCK No|BLK  N/A");
}

// The output of perf 7.2 and perf 6.1 for these values.
TEST(DataSource, TheLevelIsTheNumberInNewerPerf) {
  const std::pair<std::uint64_t, std::pair<const char*, const char*>> levels[] = {
      {0x11868100242, {"LFB/MAB or LFB/MAB hit", "LFB/MAB hit"}},
      {0x10668100842, {"L3 or L3 hit", "L3 hit"}},
      {0x1806200002, {"LFB/MAB", "LFB/MAB "}},
      {0x23231004010, {"Remote Remote RAM (2 hops) or CXL", "Remote CXL "}},
      {0x41203200401, {"L2 or CXL", "CXL "}},
      {0x11233000041, {"CXL hit", "CXL hit"}},
      {0xe00000042, {"L7 hit", "Unknown level 7 hit"}},
      {0xc00000042, {"L6 hit", "Memory-side Cache hit"}},
      {0x1e05080021, {"N/A or N/A", "N/A"}},
      {0x142, {"L1 hit", "L1 hit"}},
  };
  const auto level = [](std::uint64_t value, analysis::PerfStyle style) {
    const std::string text = data_source_text(value, style);
    const std::size_t from = text.find("|LVL ") + 5;
    return text.substr(from, text.find("|SNP") - from);
  };
  for (const auto& [value, expected] : levels) {
    EXPECT_EQ(level(value, analysis::PerfStyle::perf_6_1), expected.first) << std::hex << value;
    EXPECT_EQ(level(value, analysis::PerfStyle::newest), expected.second) << std::hex << value;
  }
}

TEST(DataSource, TheTextIsCutWherePerfCutsIt) {
  EXPECT_EQ(data_source_column(0x23231004010, analysis::PerfStyle::perf_6_1),
            "     23231004010 |OP EXEC|LVL Remote Remote RAM (2 hops) or CXL|SNP N/A|TLB L1 miss|LCK N/A|BLK  Da");
}

std::string branch(std::uint64_t flags, analysis::PerfStyle style, std::string_view architecture = "x86_64") {
  TextWriter out;
  print_branch_flags(out, {.from = 0, .to = 0, .flags = flags}, style, architecture);
  return std::string(out.view());
}

TEST(BranchFlags, AreSixPartsAndOneLessInPerf61) {
  EXPECT_EQ(branch(0x2, analysis::PerfStyle::perf_6_1), "/P/-/-/0/ ");
  EXPECT_EQ(branch(0x2, analysis::PerfStyle::newest), "/P/-/-/0//- ");
  // mispredicted, in a transaction, aborted, 77 cycles, a call, speculated on the wrong path
  const std::uint64_t flags = 1 | 4 | 8 | (77 << 4) | (4 << 20) | (1 << 24);
  EXPECT_EQ(branch(flags, analysis::PerfStyle::perf_6_1), "/M/X/A/77/CALL ");
  EXPECT_EQ(branch(flags, analysis::PerfStyle::newest), "/M/X/A/77/CALL/SPEC_WRONG_PATH ");
}

TEST(BranchFlags, ExtendedTypesHaveNamesOfTheirArchitecture) {
  const std::uint64_t flags = (15 << 20) | (3 << 26);
  EXPECT_EQ(branch(flags, analysis::PerfStyle::perf_6_1, "aarch64"), "/-/-/-/0/ARM64_FIQ ");
  EXPECT_EQ(branch(flags, analysis::PerfStyle::perf_6_1), "/-/-/-/0/ARCH_1 ");
  EXPECT_EQ(branch((15 << 20) | (15 << 26), analysis::PerfStyle::perf_6_1), "/-/-/-/0/ ");
}

TEST(Registers, OnlyThoseOfTheMaskArePrinted) {
  const std::array<Unaligned<std::uint64_t>, 3> values = {0x10, 0x7ffe, 0x9};
  TextWriter out;
  print_registers(out, {.abi = 2, .mask = 0x1 | 0x80 | 0x10000, .values = values}, "x86_64");
  EXPECT_EQ(out.view(), " ABI:2    AX:0x10    SP:0x7ffe    R8:0x9 ");
}

TEST(Registers, AKernelThreadHasNone) {
  TextWriter out;
  print_registers(out, {}, "x86_64");
  EXPECT_EQ(out.view(), "");
}

TEST(Registers, NamesAreTheArchitectures) {
  EXPECT_EQ(register_name("x86_64", 35), "XMM1");
  EXPECT_EQ(register_name("i686", 8), "IP");
  EXPECT_EQ(register_name("aarch64", 30), "lr");
  EXPECT_EQ(register_name("aarch64", 46), "vg");
  EXPECT_EQ(register_name("armv7l", 13), "sp");
  EXPECT_EQ(register_name("riscv64", 1), "ra");
  EXPECT_EQ(register_name("s390x", 33), "PC");
  EXPECT_EQ(register_name("ppc64le", 32), "nip");
  EXPECT_EQ(register_name("vax", 0), "unknown");
}

constexpr LineOrigin some_origin{.comm = "a.out", .pid = 12, .tid = 34567, .cpu = 3, .time = 1616944178999};

std::string line_start(FieldSet fields, const LineOrigin& from = some_origin, TimeFormat format = {},
                       bool narrow = false) {
  LineStart line(format, analysis::PerfStyle::perf_6_1);
  TextWriter out;
  line.print(out, from, fields, narrow);
  return std::string(out.view());
}

TEST(LineStart, NamesArePaddedUnlessACallchainFollows) {
  EXPECT_EQ(line_start({Field::comm, Field::tid}), "           a.out 34567 ");
  EXPECT_EQ(line_start({Field::comm, Field::tid}, some_origin, {}, true), "a.out 34567 ");
}

TEST(LineStart, PidAndTidShareAColumn) {
  EXPECT_EQ(line_start({Field::pid}), "   12 ");
  EXPECT_EQ(line_start({Field::pid, Field::tid}), "   12/34567 ");
  EXPECT_EQ(line_start({Field::pid, Field::tid}, {.pid = -1, .tid = -1}), "   -1/-1    ");
}

// perf 6.12 prints: "   2522/2522    15510.094541: "
TEST(LineStart, NewerPerfsIdsAreSevenWide) {
  LineStart line({}, analysis::PerfStyle::newest);
  TextWriter out;
  line.print(out, {.pid = 2522, .tid = 2522, .time = 15510094541000}, {Field::pid, Field::tid, Field::time}, false);
  line.print(out, {.tid = 2522}, {Field::tid}, false);
  EXPECT_EQ(out.view(), "   2522/2522    15510.094541:    2522 ");
}

TEST(LineStart, TimesAreCutToMicroseconds) {
  EXPECT_EQ(line_start({Field::cpu, Field::time}), "[003]  1616.944178: ");
  EXPECT_EQ(line_start({Field::time}, some_origin, {.nanoseconds = true}), " 1616.944178999: ");
}

TEST(LineStart, TimesCanBeRelative) {
  TextWriter out;
  LineStart relative({.relative = true}, analysis::PerfStyle::newest);
  LineStart delta({.delta = true}, analysis::PerfStyle::newest);
  for (const std::uint64_t time : {1000000000u, 1000005000u, 1000009000u}) {
    relative.print(out, {.time = time}, {Field::time}, false);
    delta.print(out, {.time = time}, {Field::time}, false);
    out.character('\n');
  }
  EXPECT_EQ(out.view(),
            "    0.000000:     0.000000: \n"
            "    0.000005:     0.000005: \n"
            "    0.000009:     0.000004: \n");
}

TEST(LineStart, MiscIsSixColumnsOfLetters) {
  EXPECT_EQ(line_start({Field::misc}, {.misc = 1}), "K     ");
  EXPECT_EQ(line_start({Field::misc}, {.misc = 2}), "U     ");
  EXPECT_EQ(line_start({Field::misc}, {.type = reader::RecordType::comm, .misc = 2 | 1 << 13}), "UE    ");
  EXPECT_EQ(line_start({Field::misc}, {.type = reader::RecordType::switch_, .misc = 3 << 13}), "Sp    ");
  EXPECT_EQ(line_start({Field::misc}, {.type = reader::RecordType::switch_, .misc = 1 << 14}), "      ");
}

TEST(LineStart, TheTimeOfDayComesFromTheClockData) {
  setenv("TZ", "UTC", 1);
  tzset();
  LineStart line({}, analysis::PerfStyle::newest);
  line.set_clock_data({.version = 1, .clock_id = 1, .wall_ns = 1700000000'000000000, .clock_ns = 5'000000000});
  TextWriter out;
  line.print(out, {.time = 4'250000000}, {Field::tod}, false);
  EXPECT_EQ(out.view(), "2023-11-14 22:13:19.250000 ");
}

}  // namespace
}  // namespace perfsift::output
