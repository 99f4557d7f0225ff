// Code that ran in interrupts: fold, report and export separate it or leave it out, and check compares without it.

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/support/recording_builder.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools::interrupt_tests {  // a unity build compiles other tests in the same file
namespace {

using reader::RecordType;
using test::BytesBuilder;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;
namespace bit = reader::sample_bit;
namespace context = reader::callchain_context;

// A sample's stack: the functions of the user, then the functions of the kernel, each from the root to the leaf.
struct Stack {
  std::string_view comm;
  std::vector<std::string_view> user, kernel;
};

// Root first, the functions of kernels 6.18 (x86) and 6.6 (arm64). The order is that of folded text.
const std::vector<Stack> stacks{
    {"app", {"main"}, {"asm_exc_page_fault", "exc_page_fault"}},
    {"app", {"main"}, {"asm_sysvec_apic_timer_interrupt"}},
    {"app", {"main"}, {"el0t_64_irq_handler", "el0_interrupt", "gic_handle_irq"}},
    {"app", {"main"}, {"do_syscall_64", "asm_common_interrupt", "__irq_exit_rcu", "handle_softirqs"}},
    {"app", {"main"}, {"do_syscall_64", "tcp_sendmsg", "do_softirq.part.0", "handle_softirqs", "net_rx_action"}},
    {"app", {"main", "do_IRQ"}, {}},  // a function of the program
    {"app", {"main"}, {"asm_common_interrupt", "vring_interrupt"}},
    {"ksoftirqd/0", {}, {"ret_from_fork", "run_ksoftirqd", "handle_softirqs"}},
};

// The output of perf script for these stacks.
std::string script() {
  std::string text;
  for (const Stack& stack : stacks) {
    text += fmt::format("{} 7 1.000001: 5 cycles:\n", stack.comm);
    for (auto each = stack.kernel.rbegin(); each != stack.kernel.rend(); ++each)
      text += fmt::format("\tffffffff81000000 {} ([kernel.kallsyms])\n", *each);
    for (auto each = stack.user.rbegin(); each != stack.user.rend(); ++each)
      text += fmt::format("\t401000 {} (/bin/app)\n", *each);
    text += "\n";
  }
  return text;
}

constexpr std::uint64_t kernel_start = 0xffffffff81000000, function_size = 0x100, user_start = 0x400000;

// The functions of the kernel in the stacks, each once.
std::vector<std::string_view> kernel_functions() {
  std::vector<std::string_view> functions;
  for (const Stack& stack : stacks) functions.insert(functions.end(), stack.kernel.begin(), stack.kernel.end());
  std::ranges::sort(functions);
  functions.erase(std::unique(functions.begin(), functions.end()), functions.end());
  return functions;
}

std::string kallsyms() {
  std::string text = fmt::format("{:x} T _text\n", kernel_start);
  std::uint64_t at = kernel_start + function_size;
  for (const std::string_view function : kernel_functions())
    text += fmt::format("{:x} T {}\n", std::exchange(at, at + function_size), function);
  return text + fmt::format("{:x} T _etext\n", at);
}

std::uint64_t address_of(std::string_view function) {
  const auto all = kernel_functions();
  const auto number = static_cast<std::uint64_t>(std::ranges::find(all, function) - all.begin());
  return kernel_start + (number + 1) * function_size + 0x10;
}

// A recording of the same samples. The program's file is missing, so its functions have no names.
std::vector<std::byte> recording() {
  test::RecordingBuilder in;
  in.event(
      {.sample_type = bit::ip | bit::tid | bit::time | bit::period | bit::callchain, .flags = test::sample_id_all});
  in.record_at(
      1, RecordType::mmap,
      BytesBuilder().u32(~0u).u32(0).u64(kernel_start).u64(0x100000).u64(kernel_start).padded("[kernel.kallsyms]_text"),
      test::kernel_mode);
  in.record_at(3, RecordType::mmap, BytesBuilder().u32(7).u32(7).u64(user_start).u64(0x1000).u64(0).padded("/bin/app"),
               test::user_mode);
  std::uint64_t time = 10;
  for (const Stack& stack : stacks) {
    const std::uint32_t tid = stack.comm == "app" ? 7 : 9;
    in.comm_at(time, tid, stack.comm);
    std::vector<std::uint64_t> chain;
    if (!stack.kernel.empty()) chain.push_back(context::kernel);
    for (auto each = stack.kernel.rbegin(); each != stack.kernel.rend(); ++each) chain.push_back(address_of(*each));
    if (!stack.user.empty()) chain.push_back(context::user);
    for (std::size_t i = 0; i < stack.user.size(); ++i) chain.push_back(user_start + 0x10);
    BytesBuilder payload;
    payload.u64(chain[1]).u32(7).u32(tid).u64(time + 1).u64(5).u64(chain.size());
    for (const std::uint64_t word : chain) payload.u64(word);
    in.record(RecordType::sample, payload, stack.kernel.empty() ? test::user_mode : test::kernel_mode);
    time += 10;
  }
  return in.file();
}

// The lines of folded text, sorted.
constexpr std::string_view kept =
    "app;main;asm_exc_page_fault;exc_page_fault 5\n"
    "app;main;do_IRQ 5\n"
    "app;main;do_syscall_64;tcp_sendmsg;do_softirq.part.0;handle_softirqs;net_rx_action 5\n";
constexpr std::string_view apart =
    "[interrupt];asm_common_interrupt;vring_interrupt 5\n"
    "[interrupt];asm_sysvec_apic_timer_interrupt 5\n"
    "[interrupt];el0t_64_irq_handler;el0_interrupt;gic_handle_irq 5\n"
    "[softirq];asm_common_interrupt;__irq_exit_rcu;handle_softirqs 5\n"
    "[softirq];run_ksoftirqd;handle_softirqs 5\n";

// The lines for the recording, in which the program has no names.
constexpr std::string_view kept_of_recording =
    "app;[app];[app] 5\n"
    "app;[app];asm_exc_page_fault;exc_page_fault 5\n"
    "app;[app];do_syscall_64;tcp_sendmsg;do_softirq.part.0;handle_softirqs;net_rx_action 5\n";

class InterruptOptions : public ::testing::Test {
 protected:
  std::string folded(const std::string& file, const std::string& how, options::Arguments more = {}) {
    more.insert(more.end(), {"-q", "--kallsyms", kallsyms_, "--interrupts", how, file});
    const Outcome outcome = run_command("fold", more);
    EXPECT_EQ(outcome.err, "");
    return outcome.out;
  }

  test::TemporaryDirectory directory_;
  const std::string kallsyms_ = directory_.write("kallsyms", std::string_view(kallsyms()));
  const std::string script_ = directory_.write("script", std::string_view(script()));
  const std::string recording_ = directory_.write("data", recording());
};

TEST_F(InterruptOptions, TextOfPerfScript) {
  EXPECT_EQ(folded(script_, "apart"), std::string(apart) + std::string(kept));
  EXPECT_EQ(folded(script_, "drop"), kept);
  EXPECT_THAT(folded(script_, "keep"), AllOf(HasSubstr("app;main;asm_sysvec_apic_timer_interrupt 5\n"),
                                             HasSubstr("ksoftirqd/0;ret_from_fork;run_ksoftirqd;handle_softirqs 5\n"),
                                             Not(HasSubstr("[interrupt]"))));
}

TEST_F(InterruptOptions, Recordings) {
  EXPECT_EQ(folded(recording_, "apart"), std::string(apart) + std::string(kept_of_recording));
  EXPECT_EQ(folded(recording_, "drop"), std::string(kept_of_recording));
  EXPECT_THAT(
      folded(recording_, "keep"),
      AllOf(HasSubstr("app;[app];asm_sysvec_apic_timer_interrupt 5\n"),
            HasSubstr("ksoftirqd/0;ret_from_fork;run_ksoftirqd;handle_softirqs 5\n"), Not(HasSubstr("[interrupt]"))));
}

TEST_F(InterruptOptions, AreTheSameWithOneThreadAndMany) {
  EXPECT_EQ(folded(recording_, "apart", {"-j", "1"}), folded(recording_, "apart", {"-j", "8"}));
}

// Folded text does not mark the kernel's frames. So names decide, even for the program's do_IRQ().
TEST_F(InterruptOptions, FoldedText) {
  const std::string text = directory_.write("folded", std::string_view(folded(script_, "keep")));
  const std::string again = directory_.write("again", std::string_view(folded(script_, "apart")));
  for (const std::string& input : {text, again}) {
    const std::string out = folded(input, "apart");
    std::istringstream lines{std::string(apart)};
    for (std::string line; std::getline(lines, line);) EXPECT_THAT(out, HasSubstr(line + "\n"));
    EXPECT_THAT(
        out, AllOf(HasSubstr("[interrupt];do_IRQ 5\n"), HasSubstr("app;main;asm_exc_page_fault;exc_page_fault 5\n")));
  }
  const std::string marked =
      directory_.write("marked", std::string_view(folded(script_, "keep", {"--annotate", "kernel"})));
  EXPECT_THAT(folded(marked, "drop"), Not(HasSubstr("asm_common_interrupt")));
}

TEST_F(InterruptOptions, ProfilesOfPprof) {
  const std::string profile = directory_.path() / "profile.pb.gz";
  ASSERT_EQ(run_command("export", {"-q", "--to", "pprof", "-o", profile, script_}).status, done);
  EXPECT_EQ(folded(profile, "apart"), std::string(apart) + std::string(kept));
  EXPECT_EQ(folded(profile, "drop"), kept);
  const std::string without = directory_.path() / "without.pb.gz";
  const Outcome outcome = run_command(
      "export", {"--to", "pprof", "--interrupts", "drop", "-o", without, recording_, "--kallsyms", kallsyms_});
  EXPECT_THAT(outcome.err, HasSubstr("left out 5 of 8 samples, taken in interrupts (--interrupts drop)"));
  EXPECT_EQ(folded(without, "keep"), std::string(kept_of_recording));
}

TEST_F(InterruptOptions, ProfilesOfPprofThatAreMadeOfFoldedText) {
  const std::string text =
      directory_.write("folded", std::string_view("app;main;work 20\napp;asm_common_interrupt;do 5\n"));
  const std::string kept_of_text = "app;main;work 20\n";
  ASSERT_EQ(folded(text, "drop"), kept_of_text);
  for (const options::Arguments& words : {options::Arguments{"export", "--to", "pprof"}, options::Arguments{"merge"}}) {
    const std::string profile = directory_.path() / (words.front() + ".pb.gz");
    options::Arguments arguments(words.begin() + 1, words.end());
    arguments.insert(arguments.end(), {"-q", "-o", profile, text});
    ASSERT_EQ(run_command(words.front(), arguments).status, done);
    EXPECT_EQ(folded(profile, "drop"), kept_of_text) << words.front();
    const Outcome compared = run_command("check", {profile, profile});
    EXPECT_THAT(compared.out, HasSubstr("interrupts are not compared: 5 samples")) << compared.out << compared.err;
  }
}

TEST_F(InterruptOptions, TogetherWithPartsAndDepths) {
  EXPECT_EQ(folded(recording_, "apart", {"--max-depth", "1", "--no-comm"}),
            "[app] 15\n[interrupt];asm_common_interrupt 5\n[interrupt];asm_sysvec_apic_timer_interrupt 5\n"
            "[interrupt];el0t_64_irq_handler 5\n[softirq];asm_common_interrupt 5\n[softirq];run_ksoftirqd 5\n");
  EXPECT_EQ(folded(recording_, "drop", {"--user-only"}), "app;[app] 10\napp;[app];[app] 5\n");
  EXPECT_EQ(folded(recording_, "apart", {"--user-only"}),
            "[interrupt] 15\n[softirq] 10\napp;[app] 10\napp;[app];[app] 5\n");
  EXPECT_EQ(folded(script_, "apart", {"--user-only"}),
            "[interrupt] 15\n[softirq] 10\napp;main 10\napp;main;do_IRQ 5\n");
}

TEST_F(InterruptOptions, SumsAreTold) {
  const Outcome text = run_command("report", {"--interrupts", "drop", "--kallsyms", kallsyms_, recording_});
  EXPECT_THAT(text.out, HasSubstr("interrupts left out: 5 samples (62.5 %)"));
  const Outcome json = run_command("report", {"-q", "--interrupts", "drop", "--json", script_});
  EXPECT_THAT(json.out, HasSubstr("interrupts left out: 5 samples (62.5 %)"));
  EXPECT_THAT(run_command("report", {"-q", "--interrupts", "apart", script_}).out, Not(HasSubstr("left out")));
}

TEST_F(InterruptOptions, ByThreadInterruptsAreNobodys) {
  const auto by_comm = [&](const std::string& input) {
    const Outcome outcome = run_command(
        "report", {"-q", "--interrupts", "apart", "--sort", "comm", "--json", "--kallsyms", kallsyms_, input});
    const Json json = Json::parse(outcome.out);
    std::map<std::string, int> samples;
    for (const Json& row : json["events"][0]["rows"]) samples[row["comm"]] = row["self"]["samples"];
    return samples;
  };
  const std::map<std::string, int> expected{{"[interrupt]", 3}, {"[softirq]", 2}, {"app", 3}};
  EXPECT_EQ(by_comm(recording_), expected);
  EXPECT_EQ(by_comm(script_), expected);
}

TEST_F(InterruptOptions, SamplesThatAreLeftOutAreInNoTimeline) {
  const Outcome outcome =
      run_command("export", {"-q", "--to", "perfetto", "--interrupts", "drop", recording_, "--kallsyms", kallsyms_});
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("tcp_sendmsg"), Not(HasSubstr("run_ksoftirqd"))));
}

TEST_F(InterruptOptions, ThereAreThreeWords) {
  const Outcome outcome = run_command("fold", {"--interrupts", "none", script_});
  EXPECT_EQ(outcome.status, wrong_usage);
  EXPECT_THAT(outcome.err, HasSubstr("--interrupts none: there are keep, apart and drop"));
}

// --- check ---

// 64 blocks of a program of two functions, which a number of interrupts interrupt in each block.
std::string run_of_program(unsigned interrupts) {
  std::string text;
  unsigned sample = 0;
  const auto add = [&](std::string_view frames) {
    text += fmt::format("app 7 {}.{:06}: cycles:\n{}\t401100 main (/bin/app)\n\n", 1 + sample / 1000,
                        sample % 1000 * 1000, frames);
    ++sample;
  };
  for (int i = 0; i < 640; ++i) {
    add("\t401000 f (/bin/app)\n");
    add("\t401000 g (/bin/app)\n");
    for (unsigned more = 0; more < interrupts; ++more) {
      add("\tffffffff81000000 irqentry_exit_to_user_mode ([kernel.kallsyms])\n"
          "\tffffffff81000100 asm_common_interrupt ([kernel.kallsyms])\n\t401000 f (/bin/app)\n");
    }
  }
  return text;
}

class InterruptsOfANeighbour : public InterruptOptions {
 protected:
  const std::string quiet_ = directory_.write("quiet", std::string_view(run_of_program(0)));
  const std::string busy_ = directory_.write("busy", std::string_view(run_of_program(1)));
};

TEST_F(InterruptsOfANeighbour, AreNotBlamedOnTheProgram) {
  const Outcome outcome = run_command("check", {quiet_, busy_, "--min-effect", "5%"});
  EXPECT_EQ(outcome.status, done);
  EXPECT_THAT(outcome.out, HasSubstr("cycles: 1280 samples in 1 run before, 1280 samples in 1 run after\n"
                                     "  interrupts are not compared: 0 samples (0.00 %) before, 640 samples (33.33 %) "
                                     "after\n"));
  const std::string markdown = directory_.path() / "summary.md";
  const Json json =
      Json::parse(run_command("check", {quiet_, busy_, "--min-effect", "5%", "--json", "--markdown", markdown}).out);
  EXPECT_EQ(json["baseline"]["interrupts"], 0);
  EXPECT_EQ(json["candidate"]["interrupts"], 640);
  EXPECT_EQ(json["candidate"]["samples"], 1280);
  EXPECT_EQ(json["rules"]["interrupts"], "drop");
  EXPECT_THAT(test::content_of(markdown), HasSubstr("interrupts are not compared"));
}

TEST_F(InterruptsOfANeighbour, AreComparedOnDemand) {
  const Outcome outcome = run_command("check", {quiet_, busy_, "--min-effect", "5%", "--interrupts", "keep"});
  EXPECT_EQ(outcome.status, check_failed);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("irqentry_exit_to_user_mode"), Not(HasSubstr("not compared"))));
}

// The stored run has all samples. Options decide later which samples are compared.
TEST_F(InterruptsOfANeighbour, AreStored) {
  const std::string stored = directory_.path() / "stored.pb.gz";
  ASSERT_EQ(run_command("merge", {"-q", "-o", stored, busy_}).status, done);
  const Outcome outcome = run_command("check", {"--min-effect", "5%", stored, quiet_});
  EXPECT_EQ(outcome.status, done);
  EXPECT_THAT(outcome.out, HasSubstr("interrupts are not compared: 640 samples (33.33 %) before, 0 samples"));
  EXPECT_EQ(run_command("check", {"--min-effect", "5%", "--interrupts", "keep", quiet_, stored}).status, check_failed);
}

TEST_F(InterruptsOfANeighbour, AloneCannotBeCompared) {
  const std::string alone = directory_.write(
      "alone",
      std::string_view("app 7 1.000001: cycles:\n\tffffffff81000000 asm_common_interrupt ([kernel.kallsyms])\n\n"));
  const Outcome outcome = run_command("check", {quiet_, alone});
  EXPECT_EQ(outcome.status, cannot_judge);
  EXPECT_THAT(outcome.out, HasSubstr("all samples of the candidate were taken in interrupts, which are left out"));
}

}  // namespace
}  // namespace perfsift::tools::interrupt_tests
