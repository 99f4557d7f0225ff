#include "reader/timeline/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reader/timeline/side_band_records.h"

namespace perfsift::reader {
namespace {

using test::BytesBuilder;
using test::TimelineRecords;

// --- names and processes of threads

TEST(TimelineThreads, AThreadWithoutANameIsCalledByItsTid) {
  TimelineRecords in;
  EXPECT_EQ(in.comm_of(5, 6), ":6");
  EXPECT_EQ(in.comm_of(-1, -1), ":-1");
  EXPECT_EQ(in.thread(5, 6).pid, 5);
}

TEST(TimelineThreads, TheIdleThreadIsSwapperWithoutARecord) {
  TimelineRecords in;
  EXPECT_EQ(in.comm_of(0, 0), "swapper");
  EXPECT_THAT(in.timeline.thread_ids(), testing::IsEmpty());
  in.fork(2, 2, 0, 0);
  EXPECT_EQ(in.comm_of(2, 2), "swapper");
  EXPECT_THAT(in.timeline.thread_ids(), testing::ElementsAre(0, 2));
}

TEST(TimelineThreads, AnEmptyNameIsAName) {
  TimelineRecords in;
  in.comm(5, 5, "");
  EXPECT_EQ(in.comm_of(5, 5), "");
}

TEST(TimelineThreads, ANameHoldsFromItsRecordUntilTheNext) {
  TimelineRecords in;
  in.comm(5, 5, "first");   // at {10, 1}
  in.comm(5, 5, "second");  // at {20, 2}

  const ThreadState before = in.timeline.thread(5, 5, {10, 0});
  EXPECT_EQ(in.timeline.name(before.comm), "first");  // as perf report shows it
  EXPECT_EQ(before.until, (Moment{10, 1}));

  const ThreadState first = in.timeline.thread(5, 5, {10, 1});
  EXPECT_EQ(in.timeline.name(first.comm), "first");
  EXPECT_EQ(first.from, (Moment{10, 1}));
  EXPECT_EQ(first.until, (Moment{20, 2}));

  const ThreadState second = in.timeline.thread(5, 5, {1000, 0});
  EXPECT_EQ(in.timeline.name(second.comm), "second");
  EXPECT_EQ(second.until, end_of_time);
}

TEST(TimelineThreads, AsPerfScriptPrintsItAThreadHasNoNameBeforeTheRecord) {
  TimelineRecords in({.early_names = false});
  in.comm(5, 5, "first");  // at {10, 1}
  EXPECT_EQ(in.timeline.comm(5, in.timeline.thread(5, 5, {10, 0})), ":5");
  EXPECT_EQ(in.timeline.comm(5, in.timeline.thread(5, 5, {10, 1})), "first");
}

TEST(TimelineThreads, AForkOfAThreadThatHadSamplesBeforeEndsItsEarlierLife) {
  TimelineRecords in;
  in.fork(5, 5, 4, 4);  // at {10, 1}, of a parent without a name
  in.comm(5, 5, "child");
  EXPECT_EQ(in.timeline.comm(5, in.timeline.thread(5, 5, {9, 0})), ":5");
  EXPECT_EQ(in.timeline.comm(5, in.timeline.thread(5, 5, {10, 1})), "child");
}

TEST(TimelineThreads, EqualNamesHaveEqualNumbers) {
  TimelineRecords in;
  in.comm(5, 5, "sh");
  in.comm(6, 6, "cat");
  in.comm(7, 7, "sh");
  EXPECT_EQ(in.thread(5, 5).comm, in.thread(7, 7).comm);
  EXPECT_NE(in.thread(5, 5).comm, in.thread(6, 6).comm);
  EXPECT_EQ(in.timeline.name_count(), 4u);  // none, swapper, sh, cat
}

TEST(TimelineThreads, ANameBelongsToItsThreadAlone) {
  TimelineRecords in;
  in.comm(5, 5, "main");
  in.fork(5, 6, 5, 5);
  in.comm(5, 6, "worker");
  EXPECT_EQ(in.comm_of(5, 5), "main");
  EXPECT_EQ(in.comm_of(5, 6), "worker");
}

TEST(TimelineThreads, AChildHasTheNameOfItsParentIfThatWasNamed) {
  TimelineRecords in;
  in.comm(5, 5, "sh");
  in.fork(6, 6, 5, 5);
  in.fork(8, 8, 7, 7);
  EXPECT_EQ(in.comm_of(6, 6), "sh");
  EXPECT_EQ(in.comm_of(8, 8), ":8");
}

TEST(TimelineThreads, ThePidOfASampleIsUsedOnlyForAnUnknownTid) {
  TimelineRecords in;
  in.comm(10, 10, "known");
  in.mmap2(10, 10, 0x1000, 0x1000, 0, "/bin/known");
  EXPECT_EQ(in.thread(77, 10).pid, 10);
  EXPECT_EQ(in.user_place(77, 10, 0x1800), "/bin/known+800");
}

TEST(TimelineThreads, AThreadOfUnknownProcessJoinsTheOneItIsFirstSeenIn) {
  TimelineRecords in;
  in.comm(~0u, 11, "orphan");
  in.mmap2(10, 10, 0x1000, 0x1000, 0, "/bin/known");
  EXPECT_EQ(in.thread(-1, 11).pid, -1);
  EXPECT_EQ(in.thread(10, 11).pid, 10);
  EXPECT_EQ(in.user_place(10, 11, 0x1800), "/bin/known+800");

  in.comm(10, 11, "adopted");
  EXPECT_EQ(in.thread(-1, 11).pid, 10);
  EXPECT_EQ(in.user_place(-1, 11, 0x1800), "/bin/known+800");
}

TEST(TimelineThreads, AForkThatReusesATidStartsAfresh) {
  TimelineRecords in;
  in.comm(6, 6, "old");
  in.mmap2(6, 6, 0x1000, 0x1000, 0, "/bin/old");
  in.exit(6, 6);
  in.mmap2(5, 5, 0x5000, 0x1000, 0, "/bin/new");
  in.fork(6, 6, 5, 5);
  EXPECT_EQ(in.comm_of(6, 6), ":6");
  EXPECT_EQ(in.user_place(6, 6, 0x1800), "");
  EXPECT_EQ(in.user_place(6, 6, 0x5800), "/bin/new+800");
  EXPECT_EQ(in.timeline.comm(6, in.timeline.thread(6, 6, {30, 3})), "old");
}

TEST(TimelineThreads, AParentKnownInAnotherProcessIsReplaced) {
  TimelineRecords in;
  in.comm(4, 5, "thread of 4");
  in.fork(6, 6, 5, 5);
  EXPECT_EQ(in.thread(5, 5).pid, 5);
  EXPECT_EQ(in.comm_of(5, 5), ":5");
  EXPECT_EQ(in.comm_of(6, 6), ":6");
}

// perf 7.2 forgets a thread at its EXIT record, so samples from the end of do_exit() have no names there.
TEST(TimelineThreads, AnExitedThreadStaysKnown) {
  TimelineRecords in;
  in.comm(5, 5, "late");
  in.mmap2(5, 5, 0x1000, 0x1000, 0, "/bin/late");
  in.exit(5, 5);
  EXPECT_EQ(in.comm_of(5, 5), "late");
  EXPECT_EQ(in.user_place(5, 5, 0x1004), "/bin/late+4");
}

TEST(TimelineThreads, TheParentIsTheProcessThatForked) {
  TimelineRecords in;
  in.fork(6, 6, 5, 55);  // thread 55 of process 5 forks, at {10, 1}
  in.fork(6, 7, 6, 6);   // a new thread, not a new process
  EXPECT_EQ(in.timeline.parent(6, {10, 0}), -1);
  EXPECT_EQ(in.timeline.parent(6, in.now), 5);
  EXPECT_EQ(in.timeline.parent(5, in.now), -1);
}

TEST(TimelineThreads, ARecordThatComesLateTakesEffectWhenItComes) {
  TimelineRecords in;
  in.comm(5, 5, "first");
  in.comm(5, 5, "second");  // at {20, 2}
  in.apply_at({5, 3}, RecordType::comm, 0, BytesBuilder().u32(5).u32(5).padded("late"));
  EXPECT_EQ(in.timeline.comm(5, in.timeline.thread(5, 5, {10, 1})), "first");
  EXPECT_EQ(in.timeline.comm(5, in.timeline.thread(5, 5, {20, 2})), "late");
}

// --- mappings of processes

TEST(TimelineMappings, AThreadSharesTheMappingsOfItsProcess) {
  TimelineRecords in;
  in.mmap2(5, 5, 0x1000, 0x1000, 0, "/bin/a");
  in.fork(5, 6, 5, 5);
  in.mmap2(5, 6, 0x9000, 0x1000, 0, "/lib/by-thread.so");
  EXPECT_EQ(in.user_place(5, 6, 0x1004), "/bin/a+4");
  EXPECT_EQ(in.user_place(5, 5, 0x9004), "/lib/by-thread.so+4");
  EXPECT_EQ(in.user_place(5, 99, 0x9004), "/lib/by-thread.so+4") << "a thread seen only in samples";
  EXPECT_EQ(in.thread(5, 5).maps, in.thread(5, 6).maps);
}

TEST(TimelineMappings, AForkCopiesTheMappingsOfItsParentAtThatMoment) {
  TimelineRecords in;
  in.mmap2(5, 5, 0x1000, 0x1000, 0, "/bin/before");
  in.fork(6, 6, 5, 5);
  EXPECT_EQ(in.thread(6, 6).maps, in.thread(5, 5).maps);
  in.mmap2(5, 5, 0x3000, 0x1000, 0, "/bin/after");
  in.mmap2(6, 6, 0x5000, 0x1000, 0, "/bin/child");
  EXPECT_EQ(in.user_place(6, 6, 0x1000), "/bin/before+0");
  EXPECT_EQ(in.user_place(6, 6, 0x3000), "");
  EXPECT_EQ(in.user_place(5, 5, 0x5000), "");
}

TEST(TimelineMappings, AForkSynthesisedByPerfCopiesNothing) {
  TimelineRecords in;
  in.comm(5, 5, "sh");
  in.mmap2(5, 5, 0x1000, 0x1000, 0, "/bin/sh");
  in.fork(6, 6, 5, 5, misc::fork_exec);
  EXPECT_EQ(in.thread(6, 6).maps, 0u);
  EXPECT_EQ(in.comm_of(6, 6), "sh");
}

constexpr std::uint64_t milliseconds = 1'000'000;

// The order after begin_new_exec() in fs/exec.c: the COMM record, then the MMAP2 records of the program, of its
// interpreter and of the vDSO.
class TimelineExec : public ::testing::Test {
 protected:
  TimelineExec() {
    in.mmap2(5, 5, 0x1000, 0x1000, 0, "/bin/sh");
    in.mmap2(5, 5, 0x7000, 0x1000, 0, "/lib/libc.so.6");
    in.exec(5, 5, "cat");
  }
  void map_program() { in.mmap2(5, 5, 0x1000, 0x1000, 0, "/bin/cat"), in.mmap2(5, 5, 0x3000, 0x1000, 0, "/lib/ld.so"); }
  void map_vdso() { in.mmap2(5, 5, 0x5000, 0x1000, 0, "[vdso]"); }
  std::string in_libc() const { return in.user_place(5, 5, 0x7004); }

  TimelineRecords in;
};

// Samples of the kernel during an exec have the address after the old program's system call.
TEST_F(TimelineExec, TheOldProgramIsFoundUntilTheNewOneRuns) {
  EXPECT_EQ(in_libc(), "/lib/libc.so.6+4");
  map_program();
  EXPECT_EQ(in_libc(), "/lib/libc.so.6+4");
  EXPECT_EQ(in.user_place(5, 5, 0x1004), "/bin/cat+4") << "the new one covers it";
  map_vdso();
  EXPECT_EQ(in_libc(), "/lib/libc.so.6+4");
  in.mmap2(5, 5, 0x9000, 0x1000, 0, "/lib/libm.so.6");
  EXPECT_EQ(in_libc(), "") << "the new program has mapped that";
  EXPECT_EQ(in.user_place(5, 5, 0x1004), "/bin/cat+4");
  EXPECT_EQ(in.user_place(5, 5, 0x3004), "/lib/ld.so+4");
  EXPECT_EQ(in.user_place(5, 5, 0x9004), "/lib/libm.so.6+4");
  EXPECT_EQ(in.place(in.timeline.thread(5, 5, {30, 3}), CpuMode::user, 0x7000), "/lib/libc.so.6+0");
}

TEST_F(TimelineExec, WithoutFurtherMappingsTheOldProgramIsGoneSoonAfterTheVdso) {
  map_program();
  map_vdso();
  in.now.time += 1 * milliseconds - 1;
  EXPECT_EQ(in_libc(), "/lib/libc.so.6+4");
  in.now.time += 1;
  EXPECT_EQ(in_libc(), "");
  EXPECT_EQ(in.user_place(5, 5, 0x1004), "/bin/cat+4");
  in.mmap2(5, 5, 0x9000, 0x1000, 0, "/lib/libm.so.6");
  EXPECT_EQ(in_libc(), "");
}

TEST_F(TimelineExec, WithoutAVdsoTheOldProgramIsGoneAfterAWhile) {
  map_program();
  in.now.time += 99 * milliseconds;
  EXPECT_EQ(in_libc(), "/lib/libc.so.6+4");
  in.now.time += 1 * milliseconds;
  EXPECT_EQ(in_libc(), "");
  EXPECT_EQ(in.user_place(5, 5, 0x3004), "/lib/ld.so+4");
}

TEST_F(TimelineExec, ASecondExecReplacesTheFirst) {
  map_program();
  map_vdso();
  in.exec(5, 5, "ls");
  EXPECT_EQ(in.user_place(5, 5, 0x3004), "/lib/ld.so+4");
  EXPECT_EQ(in_libc(), "");
}

TEST(TimelineMappings, AnExecStartsWithNothingMappedWhereRecordsHaveNoTimes) {
  TimelineRecords in;
  const auto mapping = BytesBuilder().u32(5).u32(5).u64(0x1000).u64(0x1000).u64(0).padded("/bin/sh");
  in.apply_at({0, 1}, RecordType::mmap, 2, mapping);
  in.apply_at({0, 2}, RecordType::comm, 2 | misc::comm_exec, BytesBuilder().u32(5).u32(5).padded("cat"));
  EXPECT_EQ(in.place(in.timeline.thread(5, 5, {0, 1}), CpuMode::user, 0x1000), "/bin/sh+0");
  EXPECT_EQ(in.place(in.timeline.thread(5, 5, {0, 2}), CpuMode::user, 0x1000), "");
}

TEST(TimelineMappings, AnExecKeepsTheOldMappingsByPerfsRules) {
  TimelineRecords in({.exec_clears_maps = false});
  in.mmap2(5, 5, 0x1000, 0x1000, 0, "/bin/sh");
  in.exec(5, 5, "cat");
  EXPECT_EQ(in.user_place(5, 5, 0x1000), "/bin/sh+0");
  EXPECT_EQ(in.comm_of(5, 5), "cat");
}

TEST(TimelineMappings, AnExecOfAForkedChildLeavesTheParentAlone) {
  TimelineRecords in;
  in.mmap2(5, 5, 0x1000, 0x1000, 0, "/bin/sh");
  in.fork(6, 6, 5, 5);
  in.exec(6, 6, "cat");
  in.now.time += 100 * milliseconds;
  EXPECT_EQ(in.user_place(5, 5, 0x1000), "/bin/sh+0");
  EXPECT_EQ(in.user_place(6, 6, 0x1000), "");
}

TEST(TimelineMappings, AMappingOverAnotherSplitsItAndKeepsTheFileOffsets) {
  TimelineRecords in;
  in.mmap2(5, 5, 0x10000, 0x3000, 0x2000, "/lib/under.so");
  in.mmap2(5, 5, 0x11000, 0x1000, 0, "/lib/over.so");
  EXPECT_EQ(in.user_place(5, 5, 0x10010), "/lib/under.so+2010");
  EXPECT_EQ(in.user_place(5, 5, 0x11010), "/lib/over.so+10");
  EXPECT_EQ(in.user_place(5, 5, 0x12010), "/lib/under.so+4010");
  EXPECT_EQ(in.user_place(5, 5, 0x13000), "") << "the end is exclusive";
}

TEST(TimelineMappings, TheSameFileIsOneBinaryInAllProcesses) {
  TimelineRecords in;
  in.mmap2(5, 5, 0x1000, 0x1000, 0, "/lib/libc.so.6");
  in.mmap2(6, 6, 0x7000, 0x1000, 0, "/lib/libc.so.6");
  in.mmap2(7, 7, 0x7000, 0x1000, 0, "/lib/libc.so.6 (deleted)");
  ASSERT_EQ(in.timeline.binaries().size(), 2u);
  EXPECT_EQ(in.timeline.binaries()[0].kind, BinaryKind::elf);
  EXPECT_EQ(in.timeline.binaries()[1].path, "/lib/libc.so.6 (deleted)");
}

TEST(TimelineMappings, AnMmapIsCodeUnlessItSaysData) {
  TimelineRecords in;
  in.mmap(2, 5, 0x1000, 0x1000, 0, "/bin/code");
  in.mmap(2 | misc::mmap_data, 5, 0x3000, 0x1000, 0, "/bin/data");
  const auto mappings = in.timeline.mappings(in.thread(5, 5).maps);
  ASSERT_EQ(mappings.size(), 2u);
  EXPECT_EQ(mappings[0].protection, 4u);  // PROT_EXEC
  EXPECT_EQ(mappings[1].protection, 0u);
  EXPECT_EQ(in.user_place(5, 5, 0x3004), "/bin/data+4") << "data mappings are mappings too";
}

TEST(TimelineMappings, ExecutableMemoryWithoutAFileIsNamedByThePerfMapOfItsProcess) {
  for (const char* name : {"//anon", "/dev/zero", "/dev/zero (deleted)", "/anon_hugepage (deleted)", "[heap]",
                           "[stack]", "[stack:123]", "/SYSV00000000 (deleted)"}) {
    TimelineRecords in;
    in.mmap2(5, 6, 0x10000, 0x1000, 0, name);
    EXPECT_EQ(in.user_place(5, 5, 0x10010), "/tmp/perf-5.map+10010") << name;
    EXPECT_EQ(in.user_binary(5, 0x10010).kind, BinaryKind::perf_map) << name;
    EXPECT_EQ(in.user_binary(5, 0x10010).pid, 5) << name;
  }
}

TEST(TimelineMappings, MemoryWithoutAFileThatHoldsNoCodeIsAnonymous) {
  TimelineRecords in;
  in.mmap2(5, 5, 0x10000, 0x1000, 0x7000, "[heap]", test::data_protection);
  EXPECT_EQ(in.user_place(5, 5, 0x10010), "[heap]+10010");
  EXPECT_EQ(in.user_binary(5, 0x10010).kind, BinaryKind::anonymous);
}

TEST(TimelineMappings, TheIdleProcessHasNoPerfMap) {
  TimelineRecords in;
  in.mmap2(0, 0, 0x10000, 0x1000, 0, "//anon");
  EXPECT_EQ(in.user_binary(0, 0x10010).kind, BinaryKind::anonymous);
}

TEST(TimelineMappings, NamesThatOnlyLookSpecialAreFiles) {
  for (const char* name :
       {"/memfd:program (deleted)", "anon_inode:[perf_event]", "/dev/shm/x", "[heap]x", "//anonymous", "[uprobes]"}) {
    TimelineRecords in;
    in.mmap2(5, 5, 0x10000, 0x1000, 0x2000, name);
    EXPECT_EQ(in.user_binary(5, 0x10010).kind, BinaryKind::elf) << name;
    EXPECT_EQ(in.user_place(5, 5, 0x10010), std::string(name) + "+2010");
  }
}

constexpr std::uint32_t map_shared = 1, map_private = 2;  // MAP_SHARED, MAP_PRIVATE

// .NET writes code through a second mapping of a memfd, or, where there is none, of a file in /dev/shm.
TEST(TimelineMappings, SharedMemoryWithCodeIsNamedByThePerfMapOfItsProcess) {
  for (const char* name : {"/memfd:doublemapper (deleted)", "/dev/shm/doublemapper_2f (deleted)", "[anon:dalvik]"}) {
    TimelineRecords in;
    in.mmap2(5, 5, 0x10000, 0x1000, 0x7000, name, test::exec_protection, map_shared);
    EXPECT_EQ(in.user_place(5, 5, 0x10010), "/tmp/perf-5.map+10010") << name;
    EXPECT_EQ(in.user_binary(5, 0x10010).kind, BinaryKind::perf_map) << name;
    EXPECT_EQ(in.user_binary(5, 0x10010).pid, 5) << name;
  }
}

TEST(TimelineMappings, SharedMemoryIsAFileOtherwise) {
  TimelineRecords in;
  in.mmap2(5, 5, 0x10000, 0x1000, 0, "/lib/shared.so", test::exec_protection, map_shared);
  in.mmap2(5, 5, 0x20000, 0x1000, 0, "/memfd:data (deleted)", test::data_protection, map_shared);
  in.mmap2(5, 5, 0x30000, 0x1000, 0, "/memfd:program (deleted)", test::exec_protection, map_private);
  EXPECT_EQ(in.user_place(5, 5, 0x10010), "/lib/shared.so+10");
  EXPECT_EQ(in.user_place(5, 5, 0x20010), "/memfd:data (deleted)+10");
  EXPECT_EQ(in.user_place(5, 5, 0x30010), "/memfd:program (deleted)+10");
  TimelineRecords as_perf({.code_without_files = false});
  as_perf.mmap2(5, 5, 0x10000, 0x1000, 0, "/memfd:doublemapper (deleted)", test::exec_protection, map_shared);
  EXPECT_EQ(as_perf.user_place(5, 5, 0x10010), "/memfd:doublemapper (deleted)+10");
}

// The records of perf record 6.1 for a program that copies its text, maps memory over the text and copies it back. The
// second record is that of mprotect().
TEST(TimelineMappings, TextThatMovesToAnonymousMemoryKeepsItsFile) {
  for (const bool perf_too : {false, true}) {
    TimelineRecords in({.code_without_files = !perf_too});
    in.mmap2(5, 5, 0x55cc40847000, 0x2000, 0x1000, "/opt/remap");
    for (const std::uint32_t protection : {7u, 5u})
      in.mmap2(5, 5, 0x55cc40848000, 0x1000, 0x55cc40848000, "//anon", protection);
    EXPECT_EQ(in.user_place(5, 5, 0x55cc40847010), "/opt/remap+1010");
    EXPECT_EQ(in.user_place(5, 5, 0x55cc40848010), perf_too ? "/tmp/perf-5.map+55cc40848010" : "/opt/remap+2010");
  }
}

TEST(TimelineMappings, TextMovesToHugePagesToo) {
  TimelineRecords in;
  in.timeline.set_architecture("x86_64");
  in.mmap2(5, 5, 0x400000, 0x600000, 0, "/opt/node");
  in.mmap2(5, 5, 0x400000, 0x200000, 0, "/anon_hugepage (deleted)", test::exec_protection, map_private | 0x40000);
  in.mmap2(5, 5, 0x600000, 0x400000, 0, "/anon_hugepage (deleted)", test::exec_protection, map_private | 0x40000);
  EXPECT_EQ(in.user_place(5, 5, 0x400010), "/opt/node+10");
  EXPECT_EQ(in.user_place(5, 5, 0x9ffff0), "/opt/node+5ffff0");
  in.mmap2(5, 5, 0x2000000, 0x1000, 0, "//anon");
  EXPECT_EQ(in.user_place(5, 5, 0x2000010), "/tmp/perf-5.map+2000010") << "code that is made later";
}

// A library may have been closed, but no record says so.
TEST(TimelineMappings, CodeOfAProcessThatMadeCodeBeforeIsNotThatOfAFile) {
  TimelineRecords in;
  in.mmap2(5, 5, 0x10000, 0x3000, 0, "/lib/closed.so");
  in.mmap2(5, 5, 0x90000, 0x1000, 0, "//anon");
  in.mmap2(5, 5, 0x11000, 0x1000, 0, "//anon");
  EXPECT_EQ(in.user_place(5, 5, 0x11010), "/tmp/perf-5.map+11010");
}

TEST(TimelineMappings, MemoryThatDoesNotLieInTextIsNotText) {
  TimelineRecords in;
  in.mmap2(5, 5, 0x10000, 0x3000, 0, "/lib/text.so");
  in.mmap2(5, 5, 0x12000, 0x2000, 0, "//anon");
  EXPECT_EQ(in.user_place(5, 5, 0x12010), "/tmp/perf-5.map+12010") << "reaches beyond its end";
  TimelineRecords other;
  other.mmap2(5, 5, 0x20000, 0x3000, 0, "/lib/data.so", test::data_protection);
  other.mmap2(5, 5, 0x21000, 0x1000, 0, "//anon");
  EXPECT_EQ(other.user_place(5, 5, 0x21010), "/tmp/perf-5.map+21010");
}

TEST(TimelineMappings, AJitdumpNamesTheCodeOfItsProcess) {
  TimelineRecords in;
  in.mmap2(5, 5, 0x10000, 0x1000, 0, "//anon");
  in.mmap2(6, 6, 0x10000, 0x1000, 0, "//anon");
  in.mmap2(5, 5, 0x20000, 0x1000, 0, "/home/me/.debug/jit/x/jit-5.dump");
  in.mmap2(5, 5, 0x30000, 0x1000, 0, "//anon");
  EXPECT_EQ(in.user_place(5, 5, 0x30010), "/home/me/.debug/jit/x/jit-5.dump+30010");
  EXPECT_EQ(in.user_binary(5, 0x30010).kind, BinaryKind::jit_dump);
  EXPECT_EQ(in.user_binary(5, 0x30010).pid, 5);
  EXPECT_EQ(in.user_place(5, 5, 0x10010), "/home/me/.debug/jit/x/jit-5.dump+10010") << "mapped before the dump was";
  EXPECT_EQ(in.user_place(6, 6, 0x10010), "/tmp/perf-6.map+10010") << "of another process";
}

TEST(TimelineMappings, AForkedChildInheritsWhatTheJitdumpOfItsParentNames) {
  TimelineRecords in;
  in.mmap2(5, 5, 0x10000, 0x1000, 0, "//anon");
  in.mmap2(5, 5, 0x20000, 0x1000, 0, "/tmp/jit-5.dump");
  in.fork(7, 7, 5, 5);
  in.mmap2(7, 7, 0x30000, 0x1000, 0, "//anon");
  EXPECT_EQ(in.user_place(7, 7, 0x10010), "/tmp/jit-5.dump+10010");
  EXPECT_EQ(in.user_place(7, 7, 0x30010), "/tmp/perf-7.map+30010") << "made by the child";
}

TEST(TimelineMappings, EachJitdumpOfAProcessNamesTheMemoryMappedAfterIt) {
  TimelineRecords in;
  in.mmap2(5, 5, 0x20000, 0x1000, 0, "/a/jit-5.dump");
  in.mmap2(5, 5, 0x30000, 0x1000, 0, "//anon");
  in.mmap2(5, 5, 0x40000, 0x1000, 0, "/b/jit-5.dump");
  in.mmap2(5, 5, 0x50000, 0x1000, 0, "//anon");
  EXPECT_EQ(in.user_place(5, 5, 0x30000), "/a/jit-5.dump+30000");
  EXPECT_EQ(in.user_place(5, 5, 0x50000), "/b/jit-5.dump+50000");
}

TEST(TimelineMappings, WithAJitdumpNamedMemoryIsCodeOfTheProcess) {
  for (const char* name : {"/memfd:doublemapper (deleted)", "[anon:v8]"}) {
    TimelineRecords in;
    in.mmap2(5, 5, 0x20000, 0x1000, 0, "/tmp/jit-5.dump");
    in.mmap2(5, 5, 0x30000, 0x1000, 0x7000, name);
    EXPECT_EQ(in.user_place(5, 5, 0x30010), "/tmp/jit-5.dump+30010") << name;
  }
}

TEST(TimelineMappings, AJitdumpIsKnownByItsName) {
  for (const char* name : {"jit-5.dump", "/tmp/jit-.dump", "/tmp/jit-5x.dump", "/tmp/jit-5.dump.old",
                           "/tmp/xjit-5.dump", "/jit-5.dump/lib.so"}) {
    TimelineRecords in;
    in.mmap2(5, 5, 0x20000, 0x1000, 0, name);
    in.mmap2(5, 5, 0x30000, 0x1000, 0, "//anon");
    EXPECT_EQ(in.user_binary(5, 0x30010).kind, BinaryKind::perf_map) << name;
  }
}

TEST(TimelineMappings, PerfItselfReadsNoJitdumps) {
  TimelineRecords in({.jit_dumps = false});
  in.mmap2(5, 5, 0x20000, 0x1000, 0, "/tmp/jit-5.dump");
  in.mmap2(5, 5, 0x30000, 0x1000, 0, "//anon");
  EXPECT_EQ(in.user_place(5, 5, 0x30010), "/tmp/perf-5.map+30010");
}

TEST(TimelineMappings, HugePagesAreAnonymousByTheFlagOfTheRecordedArchitecture) {
  struct Case {
    const char* architecture;
    std::uint32_t flag;
  };
  for (const auto& [architecture, flag] : {Case{"x86_64", 0x40000}, Case{"mips64", 0x80000}, Case{"alpha", 0x100000}}) {
    TimelineRecords in;
    in.timeline.set_architecture(architecture);
    in.mmap2(5, 5, 0x200000, 0x200000, 0, "/dev/hugepages/text", test::exec_protection, 2 | flag);
    EXPECT_EQ(in.user_place(5, 5, 0x200010), "/tmp/perf-5.map+200010") << architecture;
  }
}

TEST(TimelineMappings, TheVdsoStartsAtOffsetZeroWhateverTheRecordSays) {
  TimelineRecords in;
  in.mmap2(5, 5, 0x7ffd0000, 0x2000, 0x7ffd0, "[vdso]");
  EXPECT_EQ(in.user_place(5, 5, 0x7ffd0123), "[vdso]+123");
  EXPECT_EQ(in.user_binary(5, 0x7ffd0123).kind, BinaryKind::vdso);
  in.mmap2(5, 5, 0xffffffffff600000, 0x1000, 0, "[vsyscall]");
  EXPECT_EQ(in.user_binary(5, 0xffffffffff600000).kind, BinaryKind::vsyscall);
}

TEST(TimelineMappings, TheBuildIdOfARecordWinsOverTheTable) {
  const std::vector<std::byte> by_name(20, std::byte{0xaa});
  const std::vector<std::byte> own(20, std::byte{0xbb});
  TimelineRecords in;
  in.timeline.set_build_id("/lib/libc.so.6", BuildId(by_name), CpuMode::user);
  in.timeline.set_build_id("/lib/kernels.so", BuildId(by_name), CpuMode::kernel);
  in.mmap2(5, 5, 0x1000, 0x1000, 0, "/lib/libc.so.6");
  in.mmap2(5, 5, 0x5000, 0x1000, 0, "/lib/kernels.so");
  BytesBuilder with_own;
  with_own.u32(5).u32(5).u64(0x3000).u64(0x1000).u64(0);
  with_own.u8(20).zeros(3).bytes(own).u32(5).u32(2).padded("/lib/libc.so.6");
  in.apply(RecordType::mmap2, 2 | misc::mmap_build_id, with_own);

  EXPECT_EQ(in.user_binary(5, 0x1000).build_id, BuildId(by_name));
  EXPECT_EQ(in.user_binary(5, 0x3000).build_id, BuildId(own));
  EXPECT_TRUE(in.user_binary(5, 0x5000).build_id.empty()) << "the table's entry is of the kernel";
}

BytesBuilder file_mapping(std::uint64_t start, std::uint64_t length, std::uint64_t page_offset, std::uint64_t inode,
                          std::uint64_t generation) {
  BytesBuilder payload;
  payload.u32(5).u32(5).u64(start).u64(length).u64(page_offset);
  return payload.u32(8).u32(1).u64(inode).u64(generation).u32(5).u32(2).padded("/bin/a");
}

TEST(TimelineMappings, ABinaryWithoutABuildIdHasTheNumbersOfItsFile) {
  TimelineRecords in;
  in.timeline.set_recorded_seconds(1'700'000'000);
  in.apply(RecordType::mmap2, 2, file_mapping(0x1000, 0x1000, 0, 1234, 56));
  const RecordedFile& file = in.user_binary(5, 0x1000).file;
  EXPECT_EQ(file.identity.inode, 1234u);
  EXPECT_EQ(file.identity.inode_generation, 56u);
  EXPECT_EQ(file.recorded_seconds, 1'700'000'000);
  EXPECT_EQ(file.least_size, 0u) << "the first mapping of a library is longer than its file";
}

TEST(TimelineMappings, ABinaryWithABuildIdNeedsNoNumbersOfItsFile) {
  TimelineRecords in;
  in.timeline.set_build_id("/bin/a", BuildId(std::vector(20, std::byte{1})), CpuMode::user);
  in.apply(RecordType::mmap2, 2, file_mapping(0x1000, 0x1000, 0x1000, 1234, 56));
  in.apply(RecordType::mmap2, 2, file_mapping(0x3000, 0x1000, 0x1000, 99, 0));
  EXPECT_EQ(in.user_binary(5, 0x1000).file.identity.inode, 0u);
  EXPECT_EQ(&in.user_binary(5, 0x1000), &in.user_binary(5, 0x3000));
}

// The file before and after a new build of the program.
TEST(TimelineMappings, TwoFilesOfOnePathAreTwoBinaries) {
  TimelineRecords in;
  in.apply(RecordType::mmap2, 2, file_mapping(0x1000, 0x1000, 0, 1234, 56));
  in.apply(RecordType::mmap2, 2, file_mapping(0x3000, 0x1000, 0, 1235, 56));
  in.apply(RecordType::mmap2, 2, file_mapping(0x5000, 0x1000, 0, 1234, 57));
  EXPECT_EQ(in.timeline.binaries().size(), 3u);
}

// Pages have at most 64 KiB. The last page has at least one byte of the file.
TEST(TimelineMappings, TheFileIsAsLargeAsWhatWasMappedOfIt) {
  TimelineRecords in;
  in.apply(RecordType::mmap2, 2, file_mapping(0x1000, 0x1000, 0x2000, 1234, 0));
  EXPECT_EQ(in.user_binary(5, 0x1000).file.least_size, 0x2001u);
  in.apply(RecordType::mmap2, 2, file_mapping(0x100000, 0x30000, 0x5000, 1234, 0));
  EXPECT_EQ(in.user_binary(5, 0x1000).file.least_size, 0x25001u);
  in.apply(RecordType::mmap2, 2, file_mapping(0x1000, ~std::uint64_t{0}, 0xfffffffffffff000, 1234, 0));
  EXPECT_EQ(in.user_binary(5, 0x1000).file.least_size, ~std::uint64_t{0});
}

TEST(TimelineMappings, AMappingThatWrapsAroundEndsAtTheLastAddress) {
  TimelineRecords in;
  in.mmap2(5, 5, 0xfffffffffffff000, ~0ull, 0, "/bin/hostile");
  EXPECT_EQ(in.user_place(5, 5, 0xfffffffffffff010), "/bin/hostile+10");
  EXPECT_EQ(in.user_place(5, 5, 0x10), "");
}

TEST(TimelineMappings, AStateHoldsUntilTheNextChangeOfTheProcessesMappings) {
  TimelineRecords in;
  in.comm(5, 6, "worker");                       // {10, 1}
  in.mmap2(5, 5, 0x1000, 0x1000, 0, "/bin/a");   // {20, 2}
  in.kernel_mmap(0, 0, 0, "[kernel.kallsyms]");  // {30, 3}
  in.mmap2(7, 7, 0x1000, 0x1000, 0, "/bin/b");   // another process
  const ThreadState first = in.timeline.thread(5, 6, {15, 0});
  EXPECT_EQ(first.from, (Moment{10, 1}));
  EXPECT_EQ(first.until, (Moment{20, 2}));
  const ThreadState second = in.timeline.thread(5, 6, {25, 0});
  EXPECT_EQ(second.from, (Moment{20, 2}));
  EXPECT_EQ(second.until, (Moment{30, 3}));
  EXPECT_EQ(in.timeline.thread(5, 6, {99, 0}).until, end_of_time);
  const ThreadState only_sampled = in.timeline.thread(5, 99, {15, 0});
  EXPECT_EQ(only_sampled.until, (Moment{20, 2})) << "it sees what its process maps";
}

TEST(TimelineMappings, OnlyUserAndKernelModesHaveMappings) {
  TimelineRecords in;
  in.mmap2(5, 5, 0x1000, 0x1000, 0, "/bin/a");
  const ThreadState state = in.thread(5, 5);
  for (const CpuMode mode :
       {CpuMode::unknown, CpuMode::kernel, CpuMode::hypervisor, CpuMode::guest_kernel, CpuMode::guest_user})
    EXPECT_EQ(in.timeline.mapping(state, mode, 0x1000), nullptr) << static_cast<int>(mode);
  const CodeAddress nowhere = in.timeline.resolve(state, CpuMode::guest_user, 0x1000, true);
  EXPECT_EQ(nowhere, (CodeAddress{.return_address = true, .offset = 0x1000}));
}

// --- other records

TEST(Timeline, CgroupsAreKnownByTheirNumber) {
  TimelineRecords in;
  in.apply(RecordType::cgroup, 0, BytesBuilder().u64(42).padded("/system.slice"));
  EXPECT_EQ(in.timeline.cgroup(42), "/system.slice");
  EXPECT_EQ(in.timeline.cgroup(43), "");
}

TEST(Timeline, NamespacesAreThoseOfTheMoment) {
  TimelineRecords in;
  in.apply(RecordType::namespaces, 0, BytesBuilder().u32(5).u32(5).u64(1).u64(4).u64(111));  // {10, 1}
  in.apply(RecordType::namespaces, 0, BytesBuilder().u32(5).u32(5).u64(1).u64(4).u64(222));
  in.apply(RecordType::namespaces, 0,
           BytesBuilder().u32(5).u32(6).u64(1).u64(4).u64(333));  // a namespace of the thread's own
  EXPECT_TRUE(in.timeline.namespaces(5, {10, 0}).empty());
  ASSERT_EQ(in.timeline.namespaces(5, {10, 1}).size(), 1u);
  EXPECT_EQ(in.timeline.namespaces(5, {10, 1})[0].inode, 111u);
  EXPECT_EQ(in.timeline.namespaces(5, in.now)[0].inode, 222u);
}

TEST(Timeline, ACutRecordIsRefusedAndChangesNothing) {
  for (const auto type :
       {RecordType::mmap, RecordType::mmap2, RecordType::comm, RecordType::fork, RecordType::exit, RecordType::ksymbol,
        RecordType::bpf_event, RecordType::cgroup, RecordType::namespaces, RecordType::text_poke}) {
    TimelineRecords in;
    EXPECT_FALSE(in.apply(type, 0, BytesBuilder().u32(5))) << static_cast<int>(type);
    EXPECT_THAT(in.timeline.thread_ids(), testing::IsEmpty());
    EXPECT_TRUE(in.timeline.binaries().empty());
  }
}

TEST(Timeline, OtherRecordsAreIgnored) {
  TimelineRecords in;
  EXPECT_TRUE(in.apply(RecordType::lost, 0, BytesBuilder()));
  EXPECT_TRUE(in.apply(RecordType::finished_round, 0, BytesBuilder()));
}

}  // namespace
}  // namespace perfsift::reader
