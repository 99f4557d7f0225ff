// perfsift script against the output of perf 6.1 and perf 7.2 for the same bytes: handmade recordings of events that
// not every machine can record, such as branch stacks.

#include <gmock/gmock.h>

#include "tests/support/recording_builder.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools::script_as_perf {  // a unity build compiles other tests in the same file
namespace {

namespace bit = reader::sample_bit;
using reader::RecordType;
using test::RecordingBuilder;

constexpr std::uint64_t kernel = 0xffffffff81000000;

// The BUILD_ID feature with one entry: struct perf_record_header_build_id, with a name field of 64 bytes.
test::BytesBuilder build_id_of_kernel(std::string_view path) {
  test::BytesBuilder section;
  section.u32(0).u16(test::kernel_mode).u16(8 + 4 + 24 + 64).u32(~0u);
  for (std::uint8_t byte = 1; byte <= 20; ++byte) section.u8(byte);
  return std::move(section.zeros(4).text(path).zeros(64 - path.size()));
}

// One sample of a raw event in the kernel, for which a vmlinux is listed, with two branches and a weight in three
// parts.
RecordingBuilder branches() {
  RecordingBuilder in;
  in.event({.type = reader::event_type::raw,
            .config = 0x1cd,
            .sample_period = 1000,
            .sample_type = bit::ip | bit::tid | bit::time | bit::branch_stack | bit::weight_struct,
            .branch_sample_type = 1 | 2 | 8});  // USER, KERNEL, ANY
  in.feature(reader::Feature::build_id, build_id_of_kernel("/boot/vmlinux-9.9"));
  const auto map = [&](std::uint32_t pid, std::uint64_t start, std::uint64_t size, std::uint64_t offset,
                       std::string_view name) {
    const bool of_kernel = pid == ~0u;
    in.record(RecordType::mmap,
              in.bytes().u32(pid).u32(of_kernel ? 0 : pid).u64(start).u64(size).u64(offset).padded(name),
              of_kernel ? test::kernel_mode : test::user_mode);
  };
  map(~0u, kernel, 0x1000000, kernel, "[kernel.kallsyms]_text");
  in.record(RecordType::comm, in.bytes().u32(7).u32(7).padded("app"));
  map(7, 0x7f0000001000, 0x1000, 0x1000, "/opt/missing");
  map(7, 0x7f0000100000, 0x1000, 0, "//anon");

  auto sample = in.bytes();
  sample.u64(kernel + 0x1234).u32(7).u32(7).u64(2000).u64(2);
  sample.u64(kernel + 0x1234).u64(0x7f0000001010).u64(2 | 5 << 4);  // predicted, 5 cycles
  sample.u64(0x7f0000100020).u64(0x123).u64(1);                     // mispredicted
  sample.u32(100).u16(7).u16(9);
  in.record(RecordType::sample, sample, test::kernel_mode);
  return in;
}

class ScriptAsPerf : public ::testing::Test {
 protected:
  std::string printed(const std::string& style, options::Arguments arguments) {
    arguments.insert(arguments.end(), {"-q", "--perf-style", style, "--symfs", directory_.path(), file_});
    const Outcome outcome = run_command("script", arguments);
    EXPECT_EQ(outcome.err, "");
    return outcome.out;
  }
  std::string path(const std::string& name) const { return directory_.path() / name; }

  test::TemporaryDirectory directory_;
  std::string file_ = directory_.write("branches.data", branches().file());
};

TEST_F(ScriptAsPerf, BranchesWithTheirBinaries) {
  EXPECT_EQ(printed("6.1", {"-F", "brstack,dso"}),
            " 0xffffffff81001234(/boot/vmlinux-9.9)/0x7f0000001010(/opt/missing)/P/-/-/5/  "
            "0x7f0000100020(/tmp/perf-7.map)/0x123([unknown])/M/-/-/0/ \n");
  EXPECT_EQ(printed("new", {"-F", "brstack,dso"}),
            " 0xffffffff81001234 (/boot/vmlinux-9.9)/0x7f0000001010 (/opt/missing)/P/-/-/5//-  "
            "0x7f0000100020 (/tmp/perf-7.map)/0x123 ([unknown])/M/-/-/0//- \n");
  EXPECT_EQ(printed("new", {"-F", "brstacksym,dso"}),
            "[unknown] (/boot/vmlinux-9.9)/[unknown] (/opt/missing)/P/-/-/5//- "
            "[unknown] (/tmp/perf-7.map)/[unknown] ([unknown])/M/-/-/0//- \n");
}

TEST_F(ScriptAsPerf, OffsetsOfBranchesCountFromTheMapping) {
  EXPECT_EQ(printed("6.1", {"-F", "brstackoff"}), " 0x1234/0x1010/P/-/-/5/  0x20/0x123/M/-/-/0/ \n");
  EXPECT_EQ(printed("new", {"-F", "brstackoff"}), " 0x1234/0x1010/P/-/-/5//-  0x20/0x123/M/-/-/0//- \n");
}

TEST_F(ScriptAsPerf, EventAndColumnsOfTheWeight) {
  EXPECT_EQ(printed("6.1", {}),
            "             app     7     0.000002:       1000 raw 0x1cd:HG:              100               7 "
            "ffffffff81001234 [unknown] (/boot/vmlinux-9.9)\n");
  EXPECT_EQ(
      printed("new", {}),
      "             app       7     0.000002:       1000 raw 0x1cd:              100               7               9 "
      "ffffffff81001234 [unknown] (/boot/vmlinux-9.9)\n");
}

TEST_F(ScriptAsPerf, WithoutALineThePlaceInTheKernelIsPrinted) {
  const std::string expected = " ffffffff81001234 (/boot/vmlinux-9.9)\n  [kernel.vmlinux][ffffffff81001234]\n";
  for (const char* style : {"6.1", "new"}) EXPECT_EQ(printed(style, {"-F", "ip,dso,srcline"}), expected) << style;
}

// sample__fprintf_callchain() in tools/perf/util/evsel_fprintf.c prints the frame and stops.
TEST(ScriptStopBt, PrintsCallchainsUpToTheFirstOfTheFunctions) {
  test::TemporaryDirectory directory;
  directory.write("symfs/tmp/perf-7.map", "1000 100 leaf\n2000 100 middle\n3000 100 root\n");
  RecordingBuilder in;
  in.event({.sample_type = bit::ip | bit::tid | bit::time | bit::callchain});
  in.record(RecordType::comm, in.bytes().u32(7).u32(7).padded("app"));
  in.record(RecordType::mmap, in.bytes().u32(7).u32(7).u64(0x1000).u64(0x3000).u64(0).padded("//anon"),
            test::user_mode);
  in.record(RecordType::sample,
            in.bytes()
                .u64(0x1010)
                .u32(7)
                .u32(7)
                .u64(1)
                .u64(4)
                .u64(reader::callchain_context::user)
                .u64(0x1010)
                .u64(0x2010)
                .u64(0x3010),
            test::user_mode);
  const std::string file = directory.write("stacks.data", in.file());
  const auto printed = [&](const std::string& names) {
    return run_command("script",
                       {"-q", "-F", "sym,ip", "--stop-bt", names, "--symfs", directory.path() / "symfs", file})
        .out;
  };
  EXPECT_EQ(printed("middle,none"), "\n\t            1010 leaf\n\t            2010 middle\n\n");
  EXPECT_EQ(printed("leaf"), "\n\t            1010 leaf\n\n");
  EXPECT_EQ(printed("none"), "\n\t            1010 leaf\n\t            2010 middle\n\t            3010 root\n\n");
}

}  // namespace
}  // namespace perfsift::tools::script_as_perf
