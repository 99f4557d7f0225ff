// The meaning of the parts of expressions.
#include <gmock/gmock.h>

#include "base/error.h"
#include "filter/window_search.h"
#include "tests/dlfilters/told_sample.h"

namespace perfsift::filter {
namespace {

using ::testing::ElementsAre;

// Whether each sample is kept, in order.
std::vector<bool> kept(const Filter& filter, std::vector<ToldFacts> samples, FilterState& state) {
  std::vector<bool> result;
  for (ToldFacts& sample : samples) result.push_back(filter.keeps(sample, state));
  return result;
}
std::vector<bool> kept(std::string_view expression, std::vector<ToldFacts> samples) {
  const Filter filter = Filter::parse(expression);
  FilterState state(filter);
  return kept(filter, std::move(samples), state);
}

ToldFacts at(std::uint64_t time, std::uint64_t pid = 1) {
  return ToldFacts().with(Fact::time, time).with(Fact::pid, pid);
}

// --- bits and words ---

TEST(Bits, AreTestedByThemselvesOrCompared) {
  const auto sample = ToldFacts().with(Fact::misc, 0x4002);
  EXPECT_TRUE(keeps("misc & 2", sample));
  EXPECT_FALSE(keeps("misc & 1", sample));
  EXPECT_TRUE(keeps("misc & 7 == 2", sample));
  EXPECT_TRUE(keeps("exact_ip", sample));
  EXPECT_FALSE(keeps("!exact_ip", sample));
  EXPECT_TRUE(keeps("exact_ip == true", sample));
  EXPECT_FALSE(keeps("exact_ip == false", sample));
}

TEST(Words, OfTheCpuMode) {
  const auto sample = ToldFacts().with(Fact::cpumode, 1);
  EXPECT_TRUE(keeps("cpumode == kernel", sample));
  EXPECT_TRUE(keeps("cpumode in {user, \"kernel\"}", sample));
  EXPECT_FALSE(keeps("cpumode != kernel", sample));
  EXPECT_FALSE(keeps("cpumode == unknown", sample));
}

// perf script -F data_src prints for a load that hit L1: 0x68100142 "|OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK
// No".
TEST(Words, OfAMemoryAccessInTheOldForm) {
  const auto sample = ToldFacts().with(Fact::data_src, 0x68100142);
  EXPECT_TRUE(keeps("mem.op == load && mem.lvl == l1 && mem.hit && mem.snoop == none", sample));
  EXPECT_TRUE(keeps("mem.dtlb == L1 && mem.dtlb == l2 && mem.dtlb == hit && !mem.lock", sample));
  EXPECT_FALSE(keeps("mem.op == store || mem.lvl == l2 || mem.miss || mem.remote || mem.lock", sample));
  EXPECT_TRUE(keeps("mem.op in {store, load}", sample));
  EXPECT_TRUE(keeps("mem_op != store", sample));
}

// mem_lvl_num RAM (13) at bit 33, mem_remote at bit 37, mem_snoopx PEER (2) at bit 38, mem_hops 2 at bit 43: see
// union perf_mem_data_src.
TEST(Words, OfAMemoryAccessInTheNewForm) {
  const std::uint64_t remote_ram = 0x2ull | 13ull << 33 | 1ull << 37 | 2ull << 38 | 2ull << 43;
  const auto sample = ToldFacts().with(Fact::data_src, remote_ram);
  EXPECT_TRUE(keeps("mem.lvl == ram && mem.lvl == remote_ram && mem.remote && mem.snoop == peer", sample));
  EXPECT_TRUE(keeps("mem.hops == 2 && mem_remote == remote", sample));
  EXPECT_FALSE(keeps("mem.lvl == local_ram || mem.lvl == l3 || mem.lvl == na", sample));
}

// PERF_MEM_DATA_SRC_NONE of perf 6.1 and of perf 6.12.
TEST(Words, OfAMemoryAccessOfWhichNothingIsKnown) {
  for (const std::uint64_t none : {0x5080021ull, 0x1e05080021ull}) {
    const auto sample = ToldFacts().with(Fact::data_src, none);
    EXPECT_TRUE(keeps("mem.op == na && mem.lvl == na && mem.snoop == na && mem.dtlb == na", sample)) << none;
    EXPECT_FALSE(keeps("mem.hit || mem.lock || mem.remote", sample)) << none;
  }
}

TEST(Flags, OfADecodedBranch) {
  const auto sample = ToldFacts().with(Fact::branch_flags, 1 | 2 | 8);  // PERF_DLFILTER_FLAG_BRANCH, CALL, CONDITIONAL
  EXPECT_TRUE(keeps("branch && call && conditional && !return", sample));
  EXPECT_FALSE(keeps("return || interrupt", sample));
}

TEST(Ratio, IsInstructionsByCycles) {
  const auto sample = ToldFacts().with(Fact::insn_count, 300).with(Fact::cycle_count, 200);
  EXPECT_TRUE(keeps("ipc == 1.5 && ipc > 1 && ipc < 2", sample));
  EXPECT_FALSE(keeps("ipc > 0", ToldFacts().with(Fact::insn_count, 300)));
}

// --- tracepoints ---

TEST(Tracepoint, FieldsAreNumbersOrTexts) {
  const auto sample = ToldFacts().with_tracepoint({Number::of_signed(-5), std::string_view("rx-0")});
  EXPECT_TRUE(keeps("ret == -5 && next_comm =~ '^rx'", sample));
  EXPECT_TRUE(keeps("ret < 0 && next_comm == 'rx*'", sample));
  EXPECT_TRUE(keeps("ret in -10..0 && next_comm in {'a', 'rx-0'}", sample));
  EXPECT_FALSE(keeps("ret == '-5'", sample));
  EXPECT_FALSE(keeps("ret > 0 || next_comm == 'rx'", sample));
}

TEST(Tracepoint, FieldsThatTheEventLacksAreNotRecorded) {
  EXPECT_FALSE(keeps("ret == 1", ToldFacts()));
  EXPECT_FALSE(keeps("ret != 1", ToldFacts()));
  EXPECT_FALSE(keeps("has ret", ToldFacts()));
}

TEST(Tracepoint, FieldsAreAskedForByNameAndEvent) {
  const Filter filter = Filter::parse("prev_pid == 1 && sched:sched_switch.prev_pid == next_pid && prev_pid != 3");
  ASSERT_EQ(filter.tracepoint_fields().size(), 3u);
  EXPECT_EQ(filter.tracepoint_fields()[0].name, "prev_pid");
  EXPECT_EQ(filter.tracepoint_fields()[0].event, "");
  EXPECT_EQ(filter.tracepoint_fields()[1].event, "sched:sched_switch");
  EXPECT_EQ(filter.tracepoint_fields()[1].name, "prev_pid");
  EXPECT_EQ(filter.tracepoint_fields()[2].name, "next_pid");
}

TEST(Tracepoint, FieldsAreComparedWithEachOtherAndWithFacts) {
  const auto sample = ToldFacts().with(Fact::pid, 4).with_tracepoint({Number::of(4), Number::of(5)});
  EXPECT_TRUE(keeps("prev_pid != next_pid && prev_pid == pid && next_pid > pid && pid < next_pid", sample));
}

// The letters, and the + of a preempted task, as the kernel prints them: see include/trace/events/sched.h.
TEST(Tracepoint, TheStateOfATaskIsItsLetter) {
  const auto with_state = [](std::uint64_t state) { return ToldFacts().with_tracepoint({Number::of(state)}); };
  EXPECT_TRUE(keeps("prev_state == 'R'", with_state(0)));
  EXPECT_TRUE(keeps("prev_state == 'S'", with_state(1)));
  EXPECT_TRUE(keeps("prev_state == 'D'", with_state(2)));
  EXPECT_TRUE(keeps("prev_state == 'I'", with_state(0x80)));
  EXPECT_TRUE(keeps("prev_state == 'R+'", with_state(0x100)));
  EXPECT_FALSE(keeps("prev_state == 'R'", with_state(0x100)));
  EXPECT_TRUE(keeps("prev_state in {'S', 'D'}", with_state(2)));
  EXPECT_TRUE(keeps("prev_state == 2 && prev_state & 2", with_state(2)));
}

// --- stacks ---

ToldFacts frame(std::string sym, std::string dso) { return ToldFacts().with(Fact::sym, sym).with(Fact::dso, dso); }
ToldFacts with_stack() {
  return frame("memcpy", "/lib/libc.so.6")
      .with(Fact::comm, "app")
      .with_frames({frame("memcpy", "/lib/libc.so.6"), frame("work", "/bin/app"), frame("main", "/bin/app")});
}

TEST(Stack, HasAFunctionOrAFrameOfWhichSomethingIsTrue) {
  EXPECT_TRUE(keeps("stack has 'main'", with_stack()));
  EXPECT_TRUE(keeps("stack has 'm*n'", with_stack()));
  EXPECT_FALSE(keeps("stack has 'malloc'", with_stack()));
  EXPECT_TRUE(keeps("stack has (dso == 'app' && sym =~ '^w')", with_stack()));
  EXPECT_FALSE(keeps("stack has (dso == 'libc.so.6' && sym =~ '^w')", with_stack()));
}

TEST(Stack, AFrameIsAskedAboutItsCodeAndTheSampleAboutAllElse) {
  EXPECT_TRUE(keeps("stack has (sym == 'main' && comm == 'app')", with_stack()));
}

ToldFacts frame_of(const std::string& sym) { return ToldFacts().with(Fact::sym, sym); }

// The answers about the samples, in order.
std::vector<bool> answers(std::string_view expression, std::vector<ToldFacts> samples) {
  const Filter filter = Filter::parse(expression);
  FilterState state(filter);
  std::vector<bool> all;
  for (ToldFacts& sample : samples) all.push_back(filter.keeps(sample, state));
  return all;
}

// Stacks with the same number must be equal. These stacks differ, so the result shows which stack was searched.
TEST(Stacks, ThatAreEqualAreLookedThroughOnce) {
  const auto sample = [](std::uint32_t number, const std::string& sym) {
    return ToldFacts().with_frames({frame_of(sym)}).with_stack_number(number);
  };
  EXPECT_EQ(answers("stack has 'main'", {sample(7, "main"), sample(7, "other"), sample(0, "other"), sample(0, "main")}),
            (std::vector{true, true, false, false}));
  EXPECT_EQ(answers("stack has 'main' && !(stack has 'm')", {sample(1, "main"), sample(1, "m"), sample(2, "x")}),
            (std::vector{true, true, false}));
}

// Frames with the same number must be equal. These frames differ, so the result shows which frame was searched.
TEST(Stacks, FramesThatAreEqualAreAskedOnce) {
  const auto sample = [](std::vector<std::uint32_t> numbers, const std::string& leaf, const std::string& caller) {
    return ToldFacts().with_frames({frame_of(leaf), frame_of(caller)}).with_frame_numbers(std::move(numbers));
  };
  EXPECT_EQ(
      answers("stack has 'main'", {sample({7, 9}, "x", "main"), sample({9, 7}, "x", "x"), sample({7, 8}, "main", "y")}),
      (std::vector{true, true, false}));
  EXPECT_EQ(answers("stack has 'x' && stack has 'main'", {sample({7, 9}, "x", "main"), sample({7, 8}, "x", "y")}),
            (std::vector{true, false}));
}

TEST(Stacks, AreLookedThroughAgainWhereMoreThanTheirFramesIsAsked) {
  const auto sample = [](const std::string& comm) {
    return ToldFacts().with(Fact::comm, comm).with_frames({frame_of("main")}).with_stack_number(7);
  };
  EXPECT_EQ(answers("comm == '*' && stack has (sym == 'main' && comm == 'app')", {sample("app"), sample("other")}),
            (std::vector{true, false}));
  const auto traced = [](std::uint64_t value) {
    return ToldFacts().with_tracepoint({Number::of(value)}).with_frames({frame_of("main")}).with_stack_number(7);
  };
  EXPECT_EQ(answers("prev_prio > 0 && stack has (prev_prio == 5 && sym == 'main')", {traced(5), traced(6)}),
            (std::vector{true, false}));
}

TEST(Stack, HasEndsAndADepth) {
  EXPECT_TRUE(keeps("leaf == 'memcpy' && caller == 'work' && root == 'main' && depth == 3", with_stack()));
  EXPECT_TRUE(keeps("leaf.dso == 'libc.so.6' && caller.dso == 'app' && root.dso == '/bin/app'", with_stack()));
  EXPECT_FALSE(keeps("caller == 'x' || caller != 'x'", ToldFacts().with_frames({frame("a", "b")})));
  EXPECT_FALSE(keeps("has leaf || has root", ToldFacts()));
}

TEST(Stack, MayBeTruncated) {
  EXPECT_TRUE(keeps("stack is truncated", with_stack().with_truncated_stack()));
  EXPECT_FALSE(keeps("stack is truncated", with_stack()));
}

// --- contexts ---

// Leaf first, as perf script prints stacks.
ToldFacts in_kernel(std::vector<std::string> kernel, const std::string& user = "main") {
  std::vector<ToldFacts> frames;
  for (const std::string& sym : kernel) frames.push_back(frame_of(sym).with(Fact::cpumode, 1));
  frames.push_back(frame_of(user).with(Fact::cpumode, 2));
  return ToldFacts().with(Fact::cpumode, 1).with_frames(std::move(frames));
}

std::string context_of(const ToldFacts& sample) {
  std::string contexts;
  for (const char* each : {"user", "kernel", "syscall", "exception", "interrupt", "softirq", "nmi"}) {
    if (keeps(std::string("context == ") + each, sample)) contexts += contexts.empty() ? each : std::string(" ") + each;
  }
  return contexts;
}

// The frames are those of recordings of kernels 6.18 (x86), 6.6 (arm64), 4.19 (x86), 6.10 (arm64) and 3.10 (x86).
TEST(Contexts, AreThoseOfTheEntriesOfTheKernel) {
  EXPECT_EQ(context_of(in_kernel(
                {"ext4_file_read_iter", "vfs_read", "ksys_read", "do_syscall_64", "entry_SYSCALL_64_after_hwframe"})),
            "syscall");
  EXPECT_EQ(context_of(in_kernel({"clear_page_erms", "handle_mm_fault", "exc_page_fault", "asm_exc_page_fault"})),
            "exception");
  EXPECT_EQ(context_of(in_kernel({"irqentry_exit_to_user_mode", "asm_sysvec_apic_timer_interrupt"})), "interrupt");
  EXPECT_EQ(context_of(in_kernel({"blk_mq_complete_request", "virtblk_done", "__common_interrupt", "common_interrupt",
                                  "asm_common_interrupt"})),
            "interrupt");
  EXPECT_EQ(context_of(in_kernel({"net_rx_action", "handle_softirqs", "__irq_exit_rcu", "sysvec_apic_timer_interrupt",
                                  "asm_sysvec_apic_timer_interrupt"})),
            "softirq");
  EXPECT_EQ(context_of(in_kernel({"__do_softirq", "____do_softirq", "call_on_irq_stack", "do_softirq_own_stack",
                                  "irq_exit_rcu", "el0_interrupt", "__el0_irq_handler_common", "el0t_64_irq_handler"})),
            "softirq");
  EXPECT_EQ(context_of(in_kernel({"hrtimer_interrupt", "arch_timer_handler_virt", "gic_handle_irq", "call_on_irq_stack",
                                  "do_interrupt_handler", "el1_interrupt", "el1h_64_irq_handler", "el1h_64_irq",
                                  "vfs_read", "invoke_syscall.constprop.0", "do_el0_svc", "el0_svc"})),
            "interrupt");
  EXPECT_EQ(context_of(in_kernel({"handle_mm_fault", "do_page_fault", "do_mem_abort", "el0_da"})), "exception");
  EXPECT_EQ(context_of(in_kernel({"perf_event_nmi_handler", "nmi_handle", "default_do_nmi", "do_nmi", "nmi"})), "nmi");
  EXPECT_EQ(context_of(in_kernel(
                {"tick_sched_timer", "hrtimer_interrupt", "smp_apic_timer_interrupt", "apic_timer_interrupt"})),
            "interrupt");
  EXPECT_EQ(context_of(in_kernel({"handle_irq", "do_IRQ", "ret_from_intr"})), "interrupt");
  EXPECT_EQ(context_of(in_kernel(
                {"rcu_core", "__do_softirq", "call_softirq", "do_softirq", "irq_exit", "do_IRQ", "ret_from_intr"})),
            "softirq");
}

TEST(Contexts, OfTheProgramAreNoInterrupts) {
  EXPECT_EQ(context_of(in_kernel({}, "do_IRQ").with(Fact::cpumode, 2)), "user");
  EXPECT_EQ(context_of(ToldFacts().with(Fact::cpumode, 2)), "user");
  EXPECT_EQ(context_of(ToldFacts()), "");
}

TEST(Contexts, WithoutAnEntryAreOfTheKernel) {
  EXPECT_EQ(context_of(in_kernel({"kcompactd", "kthread", "ret_from_fork"})), "kernel");
  EXPECT_EQ(context_of(in_kernel({})), "kernel");  // recorded without the kernel's part of callchains
  EXPECT_EQ(context_of(ToldFacts().with(Fact::cpumode, 1)), "kernel");
}

// A sample without a callchain has the frame of its ip.
TEST(Contexts, OfAnInstructionAloneAreThatOfItsFunction) {
  const auto alone = [](const std::string& sym) {
    return ToldFacts().with(Fact::cpumode, 1).with_frames({frame_of(sym).with(Fact::cpumode, 1)});
  };
  EXPECT_EQ(context_of(alone("handle_softirqs")), "softirq");
  EXPECT_EQ(context_of(alone("entry_SYSCALL_64")), "syscall");
  EXPECT_EQ(context_of(alone("clear_page_erms")), "kernel");
}

// The kernel counts in the same way: an exception in an interrupt does not end the interrupt.
TEST(Contexts, LastUntilTheInterruptReturns) {
  EXPECT_EQ(context_of(in_kernel({"fixup_exception", "exc_page_fault", "asm_exc_page_fault", "copy_from_user_nmi",
                                  "asm_sysvec_irq_work"})),
            "interrupt");
  EXPECT_EQ(context_of(in_kernel({"asm_sysvec_apic_timer_interrupt", "clear_page_erms", "asm_exc_page_fault"})),
            "interrupt");
  EXPECT_EQ(context_of(in_kernel({"exc_nmi", "asm_exc_nmi", "net_rx_action", "handle_softirqs", "__irq_exit_rcu",
                                  "asm_common_interrupt"})),
            "nmi");
}

TEST(Contexts, AreComparedAsWords) {
  const auto sample = in_kernel({"handle_softirqs", "run_ksoftirqd", "smpboot_thread_fn", "kthread"});
  EXPECT_TRUE(keeps("context in {interrupt, softirq, nmi}", sample));
  EXPECT_FALSE(keeps("context != softirq", sample));
  EXPECT_TRUE(keeps("has context", sample));
  EXPECT_THROW(Filter::parse("context == irq"), UsageError);
  EXPECT_THROW(Filter::parse("stack has (context == softirq)"), UsageError);
}

// Stacks with the same number must be equal. These stacks differ, so the result shows which stack was searched.
TEST(Contexts, OfEqualStacksAreFoundOnce) {
  const auto numbered = [](std::uint32_t number, const std::string& sym) {
    return in_kernel({sym}).with_stack_number(number);
  };
  EXPECT_EQ(answers("context == softirq", {numbered(1, "handle_softirqs"), numbered(1, "x"), numbered(2, "x")}),
            (std::vector{true, true, false}));
}

// Softirqs of a loopback connection, for example.
TEST(Contexts, SoftirqsThatASystemCallRunsAreTheCalls) {
  EXPECT_EQ(context_of(in_kernel({"net_rx_action", "handle_softirqs", "do_softirq.part.0", "__local_bh_enable_ip",
                                  "tcp_sendmsg", "do_syscall_64", "entry_SYSCALL_64_after_hwframe"})),
            "syscall");
  EXPECT_EQ(context_of(in_kernel({"handle_softirqs", "irq_exit_rcu", "asm_common_interrupt", "net_rx_action",
                                  "handle_softirqs", "do_softirq.part.0", "do_syscall_64"})),
            "softirq");
}

// --- counting ---

TEST(Every, KeepsEveryNthOfThoseThatAreAskedAbout) {
  EXPECT_THAT(kept("every(2)", {at(1), at(2), at(3), at(4)}), ElementsAre(false, true, false, true));
  EXPECT_THAT(kept("pid == 7 && every(2)", {at(1, 7), at(2), at(3, 7), at(4, 7)}),
              ElementsAre(false, false, true, false));
}

TEST(First, KeepsTheFirstOfThoseThatAreAskedAbout) {
  EXPECT_THAT(kept("pid == 7 && first(1)", {at(1), at(2, 7), at(3, 7)}), ElementsAre(false, true, false));
}

// comm costs more than every(), but is still evaluated first. The other order would change the count of every().
TEST(Every, IsAskedWhereItIsWritten) {
  const auto named = [](std::string comm) { return ToldFacts().with(Fact::comm, comm); };
  EXPECT_THAT(kept("comm == 'a' && every(2)", {named("a"), named("b"), named("a"), named("b")}),
              ElementsAre(false, false, true, false));
  EXPECT_THAT(kept("every(2) && comm == 'a'", {named("a"), named("b"), named("a"), named("a")}),
              ElementsAre(false, false, false, true));
}

TEST(Random, KeepsTheSameShareOfSamplesEachTime) {
  std::vector<ToldFacts> samples;
  for (std::uint64_t time = 0; time < 10'000; ++time) samples.push_back(at(time));
  const auto once = kept("random(10%)", samples);
  EXPECT_EQ(kept("random(10%)", samples), once);
  EXPECT_NE(kept("random(10%, 1)", samples), once);
  EXPECT_NEAR(static_cast<double>(std::count(once.begin(), once.end(), true)), 1000, 100);  // 3 sigma are 90
  const auto all = kept("random(100%)", samples);
  EXPECT_EQ(std::count(all.begin(), all.end(), true), 10'000);
}

// --- times ---

// perf's 10%/1, 10%/2 and 90%-100% of 1000..2000: see set_percent_time() in tools/perf/util/time-utils.c.
TEST(Shares, OfARecordingHaveNoMomentInCommon) {
  const RecordingTimes times{.first = 1000, .last = 2000};
  EXPECT_TRUE(keeps("time in 0%..10%", at(1000), times));
  EXPECT_TRUE(keeps("time in 0%..10%", at(1099), times));
  EXPECT_FALSE(keeps("time in 0%..10%", at(1100), times));
  EXPECT_TRUE(keeps("time in 10%..20%", at(1100), times));
  EXPECT_TRUE(keeps("time in 90%..100%", at(2000), times));
  EXPECT_TRUE(keeps("time >= 50%", at(1500), times));
  EXPECT_FALSE(keeps("time < 50%", at(1500), times));
  EXPECT_TRUE(keeps("time in 1.1us..2us", at(1100), times));
}

// The result of the second visit; the first visit runs in two threads.
std::vector<bool> kept_in_windows(std::string_view expression, const std::vector<ToldFacts>& samples) {
  const Filter filter = Filter::parse(expression);
  WindowSearch even(filter);
  WindowSearch odd(filter);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    ToldFacts sample = samples[i];
    (i % 2 == 0 ? even : odd).see(sample, i);
  }
  const WindowSearch* const searches[] = {&even, &odd};
  FilterState state(filter, {}, std::make_shared<const Windows>(WindowSearch::join(filter, searches)));
  return kept(filter, samples, state);
}

TEST(Window, WithinIsAroundEachSampleBeforeAndAfter) {
  EXPECT_THAT(kept_in_windows("within 10ns of (pid == 7)", {at(89), at(90), at(100, 7), at(110), at(111)}),
              ElementsAre(false, true, true, true, false));
  EXPECT_THAT(kept_in_windows("pid == 1 && within 10ns of (pid == 7)", {at(3, 7), at(5)}), ElementsAre(false, true));
}

TEST(Window, BetweenIsFromTheOneToTheOtherAndToTheEnd) {
  EXPECT_THAT(kept_in_windows("between (pid == 7) and (pid == 8)",
                              {at(1), at(2, 7), at(3), at(4, 8), at(5), at(6, 7), at(7, 7), at(8)}),
              ElementsAre(false, true, true, true, false, true, true, true));
}

TEST(Window, SamplesOfOneTimeCountInTheirOrder) {
  EXPECT_THAT(kept_in_windows("between (pid == 7) and (pid == 8)", {at(1, 8), at(1, 7), at(2)}),
              ElementsAre(true, true, true));
  EXPECT_THAT(kept_in_windows("between (pid == 7) and (pid == 8)", {at(1, 7), at(1, 8), at(2)}),
              ElementsAre(true, true, false));
}

}  // namespace
}  // namespace perfsift::filter
