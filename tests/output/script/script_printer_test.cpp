// Whole lines of perfsift script, for a recording made by hand: one process that maps /no/such/file.

#include "output/script/script_printer.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "base/error.h"
#include "tests/support/bytes.h"

namespace perfsift::output {
namespace {

namespace bit = reader::sample_bit;
using reader::Moment;
using reader::RecordType;
using reader::Sample;
using test::BytesBuilder;

// No file is read: the tests pass samples to the printer themselves.
class MadeByHand : public reader::Recording {
 public:
  explicit MadeByHand(std::uint64_t sample_type, std::string event_name = "cpu-clock") {
    auto event = std::make_unique<reader::Event>();
    event->attr.type = reader::event_type::software;
    event->attr.sample_type = sample_type;
    event->attr.flags = std::uint64_t{1} << 18;  // sample_id_all
    event->name = std::move(event_name);
    events_.push_back(std::move(event));
    apply(RecordType::comm, BytesBuilder().u32(10).u32(10).padded("prog"));
    apply(RecordType::mmap2,
          BytesBuilder().u32(10).u32(10).u64(0x400000).u64(0x1000).u64(0x2000).zeros(24).u32(5).u32(2).padded(
              "/no/such/file"));
  }

  const std::string& path() const override { return path_; }
  bool streamed() const override { return false; }
  const reader::FileHeader& header() const override { return header_; }
  const reader::Features& features() const override { return features_; }
  const std::vector<std::unique_ptr<reader::Event>>& events() const override { return events_; }
  const reader::TracepointFormats* tracepoints() const override { return nullptr; }
  reader::TracepointFormats* tracepoints() override { return nullptr; }
  const reader::Timeline& timeline() const override { return timeline_; }
  const reader::ReadStats& stats() const override { return stats_; }
  void visit_parallel(unsigned, const std::function<std::unique_ptr<reader::SampleVisitor>(unsigned)>&) override {}
  void visit_in_order(reader::OrderedVisitor&) override {}

  reader::Event& event() { return *events_[0]; }

 private:
  void apply(RecordType type, const BytesBuilder& payload) {
    const reader::Record record{.header = {.type = type, .misc = 2}, .payload = payload.view()};
    ASSERT_TRUE(timeline_.apply(record, {.time = 1, .position = position_++}));
  }

  std::string path_ = "made by hand";
  reader::FileHeader header_;
  reader::Features features_;
  std::vector<std::unique_ptr<reader::Event>> events_;
  reader::Timeline timeline_;
  reader::ReadStats stats_;
  std::uint64_t position_ = 1;
};

constexpr std::uint64_t usual = bit::ip | bit::tid | bit::time | bit::period;

Sample sample_of(MadeByHand& recording) {
  Sample sample;
  sample.event = &recording.event();
  sample.moment = {.time = 1'500'000'000, .position = 100};
  sample.time = sample.moment.time;
  sample.misc = 2;
  sample.cpumode = reader::CpuMode::user;
  sample.pid = sample.tid = 10;
  sample.ip = 0x400010;
  sample.period = 250000;
  return sample;
}

std::string printed(MadeByHand& recording, const Sample& sample, const ScriptOptions& options = {},
                    const std::vector<std::string>& fields = {}) {
  symbolize::Symbolizer symbolizer;
  FieldSelection selection;
  for (const std::string& field : fields) selection.apply(field);
  TextWriter out;
  ScriptPrinter printer(recording, selection, symbolizer, options, out);
  printer.sample(sample);
  printer.finish();
  return std::string(out.view());
}

TEST(ScriptPrinter, ASampleWithoutACallchainIsOneLine) {
  MadeByHand recording(usual);
  EXPECT_EQ(
      printed(recording, sample_of(recording)),
      "            prog      10     1.500000:     250000 cpu-clock:            400010 [unknown] (/no/such/file)\n");
}

struct WithCallchain {
  MadeByHand recording{usual | bit::callchain};
  std::array<Unaligned<std::uint64_t>, 3> chain = {static_cast<std::uint64_t>(-512), 0x400010, 0x77};
  Sample sample = sample_of(recording);

  WithCallchain() {
    sample.has_callchain = true;
    sample.callchain = chain;
  }
};

TEST(ScriptPrinter, FramesFollowOnLinesOfTheirOwnAndAnEmptyOne) {
  WithCallchain made;
  EXPECT_EQ(printed(made.recording, made.sample),
            "prog      10     1.500000:     250000 cpu-clock: \n"
            "\t          400010 [unknown] (/no/such/file)\n"
            "\t              77 [unknown] ([unknown])\n\n");
}

TEST(ScriptPrinter, Perf61PrintsThePlaceInTheFile) {
  WithCallchain made;
  EXPECT_EQ(printed(made.recording, made.sample, {.samples = {.style = analysis::PerfStyle::perf_6_1}}),
            "prog    10     1.500000:     250000 cpu-clock: \n"
            "\t            2010 [unknown] (/no/such/file)\n"
            "\t              77 [unknown] ([unknown])\n\n");
}

TEST(ScriptPrinter, AnEmptyCallchainLeavesAnEmptyLine) {
  WithCallchain made;
  made.sample.callchain = {};
  EXPECT_EQ(printed(made.recording, made.sample), "prog      10     1.500000:     250000 cpu-clock: \n\n");
}

TEST(ScriptPrinter, HiddenCallchainsShowTheAddress) {
  WithCallchain made;
  EXPECT_EQ(printed(made.recording, made.sample, {.samples = {.show_callchains = false}}, {"ip,dso"}),
            "           400010 (/no/such/file)\n");
}

TEST(ScriptPrinter, TheEventColumnIsAsWideAsTheLongestName) {
  MadeByHand recording(usual, "cycles");
  recording.event().attr.type = reader::event_type::hardware;
  EXPECT_EQ(printed(recording, sample_of(recording), {}, {"event"}), "cycles: \n");
}

TEST(ScriptPrinter, MemoryFieldsComeInPerfsOrder) {
  MadeByHand recording(usual | bit::addr | bit::data_src | bit::weight_struct | bit::phys_addr | bit::data_page_size);
  Sample sample = sample_of(recording);
  sample.addr = 0x400020;
  sample.data_src = 0x5080021;
  sample.weight = 7;
  sample.instruction_latency = 3;
  sample.phys_addr = 0xabc;
  sample.data_page_size = 2 << 20;
  EXPECT_EQ(printed(recording, sample, {}, {"addr,data_src,weight,ins_lat,phys_addr,data_page_size"}),
            "          400020         5080021 |OP N/A|LVL N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A"
            "               7               3             abc 2M\n");
}

TEST(ScriptPrinter, AddressesOfPageFaultsHaveABinary) {
  MadeByHand recording(usual | bit::addr, "page-faults");
  recording.event().attr.config = 2;
  Sample sample = sample_of(recording);
  sample.addr = 0x400020;
  EXPECT_EQ(printed(recording, sample, {}, {"addr,sym,dso"}), "          400020 [unknown] (/no/such/file)\n");
}

TEST(ScriptPrinter, BranchesWithAddressesNamesOrOffsets) {
  MadeByHand recording(usual | bit::branch_stack);
  Sample sample = sample_of(recording);
  const std::array<Unaligned<reader::BranchEntry>, 2> branches = {reader::BranchEntry{0x400010, 0x400020, 2},
                                                                  reader::BranchEntry{0x99, 0x400030, 1}};
  sample.has_branch_stack = true;
  sample.branch_stack = branches;
  const ScriptOptions style_6_1{.samples = {.style = analysis::PerfStyle::perf_6_1}};
  EXPECT_EQ(printed(recording, sample, style_6_1, {"brstack"}),
            " 0x400010/0x400020/P/-/-/0/  0x99/0x400030/M/-/-/0/ \n");
  EXPECT_EQ(printed(recording, sample, style_6_1, {"brstacksym,dso"}),
            "[unknown](/no/such/file)/[unknown](/no/such/file)/P/-/-/0/ "
            "[unknown]([unknown])/[unknown](/no/such/file)/M/-/-/0/ \n");
  EXPECT_EQ(printed(recording, sample, style_6_1, {"brstackoff"}), " 0x2010/0x2020/P/-/-/0/  0x99/0x2030/M/-/-/0/ \n");
}

TEST(ScriptPrinter, WhatABpfProgramWroteIsDumped) {
  MadeByHand recording(usual | bit::raw, "bpf-output");
  recording.event().attr.config = 10;
  Sample sample = sample_of(recording);
  const auto raw = BytesBuilder().text("hello world").zeros(5);
  sample.raw = raw.view();
  EXPECT_EQ(printed(recording, sample, {}, {"bpf-output"}),
            "\n"
            "      BPF output: 0000: 68 65 6c 6c 6f 20 77 6f  hello wo\n"
            "                  0008: 72 6c 64 00 00 00 00 00  rld.....\n"
            "      BPF string: \"hello world\"\n\n");
}

TEST(ScriptPrinter, GuestsAreCountedAndNotShown) {
  MadeByHand recording(usual);
  Sample sample = sample_of(recording);
  sample.cpumode = reader::CpuMode::guest_kernel;
  EXPECT_EQ(printed(recording, sample), "");
}

TEST(ScriptPrinter, RecordsAreShownWhenAskedFor) {
  MadeByHand recording(usual);
  symbolize::Symbolizer symbolizer;
  TextWriter out;
  ScriptPrinter printer(recording, FieldSelection(), symbolizer, {.shown_records = {RecordType::comm}}, out);
  const auto payload = BytesBuilder().u32(10).u32(10).padded("prog");
  const reader::SampleId id{.pid = 10, .tid = 10, .time = 1'000'000'000};
  printer.record({.header = {.type = RecordType::comm}, .payload = payload.view()}, id, {.time = 1'000'000'000});
  printer.record({.header = {.type = RecordType::exit}, .payload = {}}, id, {.time = 1'000'000'000});
  EXPECT_EQ(out.view(), "            prog      10     1.000000: PERF_RECORD_COMM: prog:10/10\n");
}

TEST(ScriptPrinter, AModuleIsNamedInBrackets) {
  const auto name = [](const char* path) {
    return printed_binary_name({.path = path, .kind = BinaryKind::kernel_module});
  };
  EXPECT_EQ(name("/lib/modules/6.1/kernel/fs/snd-hda.ko.xz"), "[snd_hda]");
  EXPECT_EQ(name("[ext4]"), "[ext4]");
  EXPECT_EQ(printed_binary_name({.path = "/usr/bin/ls"}), "/usr/bin/ls");
}

TEST(ScriptPrinter, WithoutALineThePlaceInTheBinaryIsPrinted) {
  WithCallchain made;
  const auto lines = [&](analysis::PerfStyle style) {
    return printed(made.recording, made.sample, {.samples = {.style = style}}, {"ip,srcline"});
  };
  EXPECT_EQ(lines(analysis::PerfStyle::newest), "\n\t          400010\n  file[2010]\n\t              77\n\n");
  EXPECT_EQ(lines(analysis::PerfStyle::perf_6_1), "\n\t            2010\n  file[2010]\n\t              77\n\n");
  EXPECT_EQ(printed(made.recording, made.sample, {.samples = {.show_callchains = false}}, {"ip,srcline"}),
            "           400010\n  file[2010]\n");
}

// The names that perf 7.2 prints before the bracket.
TEST(ScriptPrinter, TheShortNameOfABinaryIsPerfs) {
  const auto name = [](const char* path, BinaryKind kind) { return short_binary_name({.path = path, .kind = kind}); };
  EXPECT_EQ(name("/opt/some/app", BinaryKind::elf), "app");
  EXPECT_EQ(name("/memfd:x (deleted)", BinaryKind::elf), "memfd:x (deleted)");
  EXPECT_EQ(name("anon_inode:[perf_event]", BinaryKind::elf), "anon_inode:[perf_event]");
  EXPECT_EQ(name("[kernel.kallsyms]", BinaryKind::kernel), "[kernel.kallsyms]");
  EXPECT_EQ(name("/lib/modules/5/kernel/fs/ext-4.ko", BinaryKind::kernel_module), "[ext_4]");
  EXPECT_EQ(short_binary_name({.path = "/tmp/perf-7.map", .kind = BinaryKind::perf_map, .pid = 7}), "[JIT] tid 7");
  Binary kernel{.path = "[kernel.kallsyms]", .kind = BinaryKind::kernel};
  kernel.listed_path = "/boot/vmlinux-9.9";
  EXPECT_EQ(printed_binary_name(kernel), "/boot/vmlinux-9.9");
  EXPECT_EQ(short_binary_name(kernel), "[kernel.vmlinux]");
}

TEST(ScriptPrinter, AModuleWhoseBuildIdIsListedIsNamedByItsPath) {
  Binary module{.path = "[ext4]", .kind = BinaryKind::kernel_module};
  module.listed_path = "/lib/modules/6.1/kernel/fs/ext4.ko";
  EXPECT_EQ(printed_binary_name(module), "/lib/modules/6.1/kernel/fs/ext4.ko");
}

}  // namespace
}  // namespace perfsift::output
