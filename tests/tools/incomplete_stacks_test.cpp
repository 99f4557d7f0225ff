// Stacks that do not reach the start of their thread, as perfsift fold and perfsift info report them. The recordings
// are made by hand, so the expected output follows from the callchains, registers and stacks.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/support/elf_builder.h"
#include "tests/support/jit_dump.h"
#include "tests/support/recording_builder.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools::incomplete_stacks {  // a unity build compiles other tests in the same file
namespace {

using nlohmann::ordered_json;
using reader::RecordType;
using test::BytesBuilder;
using test::kernel_mode;
using test::RecordingBuilder;
using test::user_mode;
using ::testing::HasSubstr;
namespace bit = reader::sample_bit;
namespace context = reader::callchain_context;

constexpr std::uint64_t callchain_sample = bit::ip | bit::tid | bit::time | bit::period | bit::callchain;

// Code in memory without a file, with names in the perf map; code in a missing file; code in no mapping.
constexpr std::uint64_t start = 0x10000, main_ = 0x10100, work = 0x10200, clone_ = 0x10300, goexit = 0x10400;
constexpr std::uint64_t app = 0x400000, nowhere = 0x1234;
constexpr std::uint64_t sys_read = 0xffffffff81000200;

using Chain = std::vector<std::uint64_t>;

RecordingBuilder& add_process(RecordingBuilder& in) {
  const auto mapping = [](std::uint64_t at, std::string_view name) {
    return std::move(BytesBuilder().u32(7).u32(7).u64(at).u64(0x1000).u64(0).padded(name));
  };
  in.comm_at(1, 7, "app");
  in.record_at(2, RecordType::mmap, mapping(app, "/opt/app"), user_mode);
  return in.record_at(3, RecordType::mmap, mapping(start, "//anon"), user_mode);
}

BytesBuilder sample_payload(const Chain& chain) {
  BytesBuilder payload;
  payload.u64(chain.size() > 1 ? chain[1] : work).u32(7).u32(7).u64(100).u64(5).u64(chain.size());
  for (const std::uint64_t entry : chain) payload.u64(entry);
  return payload;
}

std::uint16_t mode_of(const Chain& chain) { return chain[0] == context::kernel ? kernel_mode : user_mode; }

class IncompleteStacks : public ::testing::Test {
 protected:
  IncompleteStacks() {
    directory_.write("symfs/tmp/perf-7.map",
                     "10000 100 _start\n10100 100 main\n10200 100 work\n10300 100 clone\n"
                     "10400 100 runtime.goexit.abi0\n");
  }

  std::string write(const RecordingBuilder& in) { return directory_.write("hand.data", in.file()); }

  Outcome run(std::string_view command, options::Arguments arguments, const std::string& file) const {
    const std::string symfs = directory_.path() / "symfs";
    arguments.insert(arguments.end(), {"--symfs", symfs, file});
    return run_command(command, arguments);
  }
  ordered_json quality(const std::string& file) const {
    return ordered_json::parse(run("info", {"--json"}, file).out)["quality"];
  }
  // "binary reason stacks", from info; `fold` must report the same.
  std::vector<std::string> incomplete(const std::string& file) const {
    std::vector<std::string> all;
    const ordered_json told = quality(file);
    for (const auto& place : told["incomplete"]) {
      const std::string stacks = std::to_string(place["stacks"].get<int>());
      all.push_back(place["binary"].get<std::string>() + " " + place["reason"].get<std::string>() + " " + stacks);
      EXPECT_THAT(run("fold", {"--incomplete"}, file).err,
                  HasSubstr(std::string(12 - stacks.size(), ' ') + stacks + "  " + place["binary"].get<std::string>()));
    }
    return all;
  }
  std::string of_frame_pointers(const std::vector<Chain>& chains) {
    RecordingBuilder in;
    in.event({.sample_type = callchain_sample, .flags = test::sample_id_all});
    add_process(in);
    for (const Chain& chain : chains) in.record(RecordType::sample, sample_payload(chain), mode_of(chain));
    return write(in);
  }

  test::TemporaryDirectory directory_;
};

TEST_F(IncompleteStacks, CallchainsAreWholeWhereThreadsStart) {
  const std::string file = of_frame_pointers({
      {context::user, work + 8, main_ + 8, start + 8},
      {context::user, start + 1},
      {context::user, work + 8, clone_ + 8},
      {context::kernel, sys_read, context::user, work + 8, goexit + 8},
      {context::user, work + 8, main_ + 8, app + 8},  // app may be a stripped C library
  });
  EXPECT_THAT(incomplete(file), testing::IsEmpty());
  EXPECT_EQ(quality(file)["incomplete_percent"], 0);
  EXPECT_EQ(quality(file)["unjudged_stacks"], 0);
  EXPECT_EQ(run("fold", {"--max-incomplete", "0"}, file).status, done);
}

// In a static program, two words that happen to be on the stack follow the caller of main().
TEST_F(IncompleteStacks, FramesBehindTheStartOfAThreadAreNoCallers) {
  const std::string file = of_frame_pointers({
      {context::user, work + 8, main_ + 8, start + 8, work + 24, app + 8},
      {context::user, work + 8, goexit + 8, nowhere},
      {context::user, work + 8, main_ + 8, start + 8},
  });
  EXPECT_THAT(incomplete(file), testing::IsEmpty());
  EXPECT_EQ(quality(file)["unjudged_stacks"], 0);
  EXPECT_EQ(quality(file)["beyond_start_stacks"], 2);
  EXPECT_THAT(run("fold", {"--incomplete"}, file).err,
              HasSubstr("complete, but with frames behind the start of the thread: 2 stacks\n"));
}

TEST_F(IncompleteStacks, StacksOfTheKernelAloneAreWhole) {
  EXPECT_THAT(incomplete(of_frame_pointers({{context::kernel, sys_read, sys_read + 4}})), testing::IsEmpty());
}

// The report names the code of the last known frame.
TEST_F(IncompleteStacks, CallchainsThatEndElsewhereMissAFramePointer) {
  const std::string file = of_frame_pointers({
      {context::user, work + 8},
      {context::user, work + 8, nowhere},
      {context::user, work + 8, work + 16, main_ + 8, nowhere},
      {context::kernel, sys_read, context::user, clone_ + 8},  // the parent's call of clone
      {context::user, app + 8},
      {context::user, work + 8, main_ + 8, start + 8},
  });
  EXPECT_THAT(incomplete(file),
              testing::ElementsAre("/opt/app frame_pointer_missing 1", "/tmp/perf-7.map frame_pointer_missing 4"));
  EXPECT_EQ(quality(file)["incomplete_estimated"], true);
  const Outcome outcome = run("fold", {"--max-incomplete", "80"}, file);
  EXPECT_EQ(outcome.status, check_failed);
  EXPECT_THAT(outcome.err, HasSubstr("83.33 % of the stacks are incomplete (5 of 6), more than --max-incomplete 80"));
  EXPECT_EQ(run("info", {"--max-incomplete", "80"}, file).status, check_failed);
  EXPECT_EQ(run("script", {"--max-incomplete", "80"}, file).status, check_failed);
  EXPECT_EQ(run("script", {"--max-incomplete", "83.4"}, file).status, done);
  EXPECT_THAT(run("info", {"--quality"}, file).out,
              HasSubstr("incomplete stacks: 5 of 6 (83.33 %), estimated by the names of their last frames\n"));
}

TEST_F(IncompleteStacks, NothingIsSaidOfCallchainsWhoseLastFrameHasNoName) {
  const std::string file = of_frame_pointers({{context::user, work + 8, work + 16, app + 8}});
  EXPECT_THAT(incomplete(file), testing::IsEmpty());
  EXPECT_EQ(quality(file)["unjudged_stacks"], 1);
  EXPECT_EQ(quality(file)["incomplete_estimated"], true);
}

// Entry points count also for machines whose stacks perfsift does not unwind.
TEST_F(IncompleteStacks, CallchainsThatEndAtTheEntryPointAreWhole) {
  test::ElfBuilder program(EM_S390);
  program.entry(0x2100);
  program.segment(
      {.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = 0x2000, .p_filesz = 0x1000, .p_memsz = 0x1000});
  program.section(".text", std::vector<std::byte>(16), {.flags = SHF_ALLOC | SHF_EXECINSTR, .offset = 0x100});
  directory_.write("symfs/opt/app", program.take());
  const std::string file = of_frame_pointers({
      {context::user, work + 8, work + 16, app + 0x108},
      {context::user, app + 0x100},
      {context::user, work + 8, work + 16, app + 0x180},
  });
  EXPECT_THAT(incomplete(file), testing::IsEmpty());
  EXPECT_EQ(quality(file)["unjudged_stacks"], 1);
}

TEST_F(IncompleteStacks, CallchainsAsDeepAsTheyCanBeAreCut) {
  Chain deep{context::user};
  deep.resize(1 + 127, work + 8);  // the default of kernel.perf_event_max_stack
  deep.back() = start + 8;
  const std::string file = of_frame_pointers({deep});
  EXPECT_THAT(incomplete(file), testing::ElementsAre("/tmp/perf-7.map depth_limit 1"));
  EXPECT_EQ(quality(file)["truncated_stacks"], 1);
}

TEST_F(IncompleteStacks, AUserPartThatNeverCameIsMissing) {
  EXPECT_THAT(incomplete(of_frame_pointers({{context::kernel, sys_read, sys_read + 4, context::user_deferred, 77}})),
              testing::ElementsAre("[unknown] user_part_missing 1"));
}

TEST_F(IncompleteStacks, CallsThatTheProcessorKeptAreEstimatedToo) {
  RecordingBuilder in;
  in.event({.sample_type = callchain_sample | bit::branch_stack,
            .flags = test::sample_id_all,
            .branch_sample_type = reader::branch_sample::call_stack});
  add_process(in);
  for (const std::uint64_t oldest : {start + 8, work + 8}) {
    BytesBuilder payload = sample_payload({context::user, work + 4});
    payload.u64(2).u64(main_ + 8).u64(work).u64(0).u64(oldest).u64(main_).u64(0);
    in.record(RecordType::sample, payload, user_mode);
  }
  // The caller of main() is the start of a program.
  BytesBuilder payload = sample_payload({context::user, work + 4});
  payload.u64(1).u64(work + 8).u64(work).u64(0);
  in.record(RecordType::sample, payload, user_mode);
  EXPECT_THAT(incomplete(write(in)), testing::ElementsAre("/tmp/perf-7.map calls_missing 1"));
}

// A program for aarch64 with two functions of 64 bytes. One never saves the link register, and the other has saved it.
std::vector<std::byte> with_link_register() {
  constexpr std::uint32_t leaf = 0x2100, other = 0x2140, cfi = 0x2300;
  BytesBuilder frames;
  frames.u32(20).u32(0).u8(1).text("zR").u8(0).u8(1).u8(0x78).u8(30).u8(1).u8(0x1b);  // pcrel, sdata4
  frames.u8(0x0c).u8(31).u8(0).zeros(4);                                              // DW_CFA_def_cfa sp, 0
  frames.u32(16).u32(28).u32(leaf - (cfi + 32)).u32(64).zeros(4);
  frames.u32(16).u32(48).u32(other - (cfi + 52)).u32(64).u8(0).u8(0x9e).u8(1).u8(0);  // DW_CFA_offset x30, -8
  frames.u32(0);
  test::ElfBuilder program(EM_AARCH64);
  program.segment(
      {.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = 0x2000, .p_filesz = 0x1000, .p_memsz = 0x1000});
  program.section(".text", std::vector<std::byte>(128),
                  {.flags = SHF_ALLOC | SHF_EXECINSTR, .address = leaf, .offset = 0x100});
  program.section(".eh_frame", frames.take(), {.flags = SHF_ALLOC, .address = cfi, .offset = 0x300});
  return program.take();
}

// perf record -g records the link register on this machine (get_leaf_frame_caller_aarch64()).
TEST_F(IncompleteStacks, TheLinkRegisterTellsTheCallerOfALeaf) {
  directory_.write("symfs/opt/app", with_link_register());
  RecordingBuilder in;
  in.feature(reader::Feature::arch, BytesBuilder().u32(8).text("aarch64").zeros(1));
  in.event({.sample_type = callchain_sample | bit::regs_user,
            .flags = test::sample_id_all,
            .regs_user = std::uint64_t{1} << 30});
  add_process(in);
  for (const std::uint64_t ip : {app + 0x110, app + 0x150}) {
    BytesBuilder payload = sample_payload({context::user, ip, app + 0x158});
    payload.u64(2).u64(app + 0x168);
    in.record(RecordType::sample, payload, user_mode);
  }
  const std::string file = write(in);
  EXPECT_EQ(run("fold", {"--weight", "samples", "--addresses"}, file).out,
            "app;[app+0x158];[app+0x150] 1\n"
            "app;[app+0x158];[app+0x168];[app+0x110] 1\n");
  EXPECT_EQ(quality(file)["stacks_without_a_caller"], 0);
  const std::string text = run("script", {"-F", "ip"}, file).out;
  EXPECT_THAT(text, HasSubstr("400110\n\t          400167\n\t          400158\n"));
  EXPECT_THAT(text, HasSubstr("400150\n\t          400158\n"));
}

// The copy of the stack ends early, and the recorded callchain continues what was unwound from the registers.
TEST_F(IncompleteStacks, AnUnwoundLeafHasItsCallerWhateverFollows) {
  directory_.write("symfs/opt/app", with_link_register());
  RecordingBuilder in;
  in.feature(reader::Feature::arch, BytesBuilder().u32(8).text("aarch64").zeros(1));
  in.event({.sample_type = callchain_sample | bit::regs_user | bit::stack_user,
            .flags = test::sample_id_all,
            .regs_user = std::uint64_t{7} << 30,
            .stack_user = 16});
  add_process(in);
  BytesBuilder payload = sample_payload({context::user, app + 0x110, app + 0x168, app + 0x158});
  payload.u64(2).u64(app + 0x168).u64(0x7fff0000).u64(app + 0x110);  // LR, SP, PC
  payload.u64(16).zeros(16).u64(16);
  in.record(RecordType::sample, payload, user_mode);
  const std::string file = write(in);
  EXPECT_EQ(run("fold", {"--weight", "samples", "--addresses", "--annotate", "leaf"}, file).out,
            "app;[app+0x158];[app+0x168];[app+0x110] 1\n");
  EXPECT_EQ(quality(file)["stacks_without_a_caller"], 0);
}

// The sample has no link register, so the caller may be missing.
TEST_F(IncompleteStacks, LeavesWithoutAFrameMayLackTheirCaller) {
  directory_.write("symfs/opt/app", with_link_register());
  RecordingBuilder in;
  in.event({.sample_type = callchain_sample, .flags = test::sample_id_all});
  add_process(in);
  for (const std::uint64_t ip : {app + 0x110, app + 0x150})
    in.record(RecordType::sample, sample_payload({context::user, ip, app + 0x158}), user_mode);
  const std::string file = write(in);
  EXPECT_EQ(run("fold", {"--weight", "samples", "--annotate", "leaf"}, file).out,
            "app;[app];[app] 1\n"
            "app;[app];[app]_[l] 1\n");
  EXPECT_EQ(quality(file)["lost_callers"], ordered_json::parse(R"([{"function": "[app]", "stacks": 1}])"));
  EXPECT_THAT(run("fold", {"--incomplete"}, file).err,
              HasSubstr("the leaf's caller may be missing: 1 stack, 50 %\n           1  [app]\n"));
}

// CFI in .eh_frame for a function of 32 bytes directly before it. Everywhere, the caller's stack pointer is 16 above
// the function's own.
std::string rules() {
  BytesBuilder out;
  out.u32(20).u32(0).u8(1).text("zR").u8(0).u8(1).u8(0x78).u8(16).u8(1).u8(0x1b);  // pcrel, sdata4
  out.u8(0x0c).u8(7).u8(16).u8(0x90).u8(1).u8(0).u8(0);                            // DW_CFA_def_cfa rsp, offset r16
  out.u32(16).u32(28).u32(0u - 32 - 32).u32(32).u8(0).u8(0).u8(0).u8(0);
  return {reinterpret_cast<const char*>(out.view().data()), out.view().size()};
}

// The stack pointer, the instruction pointer and a frame pointer of 0 of a sample whose stack is copied.
struct CopiedStack {
  CopiedStack(std::uint64_t ip, std::uint64_t return_address) {
    in.feature(reader::Feature::arch, BytesBuilder().u32(7).text("x86_64").zeros(1));
    in.event({.sample_type = callchain_sample | bit::regs_user | bit::stack_user,
              .flags = test::sample_id_all,
              .regs_user = 1 << 6 | 1 << 7 | 1 << 8,
              .stack_user = 16});
    add_process(in);
    BytesBuilder payload;
    payload.u64(ip).u32(7).u32(7).u64(100).u64(5).u64(0);
    payload.u64(2).u64(0).u64(0x7fff0000).u64(ip).u64(16).u64(return_address).u64(0).u64(16);
    in.record(RecordType::sample, payload, user_mode);
  }
  RecordingBuilder in;
};

TEST_F(IncompleteStacks, OfAMissingFileAreNotBlamedOnItsRules) {
  const std::string file = write(CopiedStack(app + 16, app + 32).in);
  EXPECT_THAT(incomplete(file), testing::ElementsAre("/opt/app no_file 1"));
  EXPECT_THAT(run("fold", {"--incomplete"}, file).err,
              HasSubstr("the file with the unwinding rules is missing here, or is not the recorded one: 1 stack"));
}

TEST_F(IncompleteStacks, OfAFileWithoutRulesAreBlamedOnThem) {
  const std::vector<std::byte> code(64);
  directory_.write("symfs/opt/app", test::ElfBuilder().section(".text", code, SHF_ALLOC | SHF_EXECINSTR).take());
  EXPECT_THAT(incomplete(write(CopiedStack(app + 16, app + 32).in)), testing::ElementsAre("/opt/app no_rules 1"));
}

// Code generated at run time by a program that does not name its machine: CPython 3.13.
TEST_F(IncompleteStacks, UnwoundStacksBringTheirReasons) {
  directory_.write("symfs/run/jit-7.dump", test::JitDumpBuilder(ByteOrder::native, 0, 0)
                                               .unwinding(rules(), "")
                                               .load(10, work, 32, 1, "work")
                                               .unwinding(rules(), "")
                                               .load(11, main_, 32, 2, "main")
                                               .load(12, clone_, 32, 3, "untold")
                                               .view());
  RecordingBuilder in;
  in.feature(reader::Feature::arch, BytesBuilder().u32(7).text("x86_64").zeros(1));
  in.event({.sample_type = callchain_sample | bit::regs_user | bit::stack_user,
            .flags = test::sample_id_all,
            .regs_user = 1 << 6 | 1 << 7 | 1 << 8,
            .stack_user = 32});
  in.comm_at(1, 7, "app");
  const auto mapping = [](std::uint64_t at, std::string_view name) {
    return std::move(BytesBuilder().u32(7).u32(7).u64(at).u64(0x1000).u64(0).padded(name));
  };
  in.record_at(2, RecordType::mmap, mapping(0x70000, "/run/jit-7.dump"), user_mode);
  in.record_at(3, RecordType::mmap, mapping(start, "//anon"), user_mode);
  const auto add = [&](std::uint64_t ip, std::uint64_t copied) {
    BytesBuilder payload;
    payload.u64(ip).u32(7).u32(7).u64(100).u64(5).u64(0);
    payload.u64(2).u64(0).u64(0x7fff0000).u64(ip);                    // REGS_USER: BP, SP, IP
    payload.u64(32).u64(0).u64(main_ + 8).u64(0).u64(0).u64(copied);  // STACK_USER
    in.record(RecordType::sample, payload, user_mode);
  };
  add(work + 4, 32);
  add(work + 4, 16);
  add(clone_ + 4, 32);
  const std::string file = write(in);
  EXPECT_EQ(run("fold", {"--weight", "samples"}, file).out,
            "app;[truncated];main;work 1\n"
            "app;main;work 1\n"
            "app;untold 1\n");
  EXPECT_THAT(incomplete(file), testing::ElementsAre("/run/jit-7.dump copy_short 1", "/run/jit-7.dump no_rules 1"));
  EXPECT_EQ(quality(file)["incomplete_estimated"], false);
  EXPECT_EQ(quality(file)["truncated_stacks"], 1);
  EXPECT_EQ(run("fold", {"--max-incomplete", "66", "--max-truncated", "34"}, file).status, check_failed);
}

}  // namespace
}  // namespace perfsift::tools::incomplete_stacks
