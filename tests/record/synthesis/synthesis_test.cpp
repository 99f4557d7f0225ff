// Records of what runs already, from made trees of /proc. What perf makes of them is said in
// tools/perf/util/synthetic-events.c.
#include "record/synthesis/synthesis.h"

#include <atomic>
#include <filesystem>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reader/format/sample.h"
#include "reader/records/process.h"
#include "tests/record/made_roots.h"
#include "tests/record/synthesis/taken_records.h"
#include "tests/support/elf_builder.h"
#include "tests/support/emulated.h"

namespace perfsift::record {
namespace {

using reader::RecordType;
using ::testing::ElementsAre;

SynthesisPlan plan_of(const MadeRoots& made) {
  SynthesisPlan plan;
  plan.all_processes = true;
  plan.kernel = false;
  plan.roots = made.roots();
  return plan;
}

constexpr std::string_view maps_of_cat =
    "00400000-0040c000 r-xp 00001000 fd:01 41038                              /bin/cat\n"
    "0060c000-0060d000 rw-p 0000c000 fd:01 41038                              /bin/cat\n"
    "7ffe0000-7fff0000 rw-p 00000000 00:00 0                                  [stack]\n"
    "7fffe000-80000000 r-xp 00000000 00:00 0                                  [vdso]\n";

// An ELF file with the build id 01020304.
std::vector<std::byte> marked_elf() {
  const auto note = test::BytesBuilder().u32(4).u32(4).u32(3).text("GNU").zeros(1).u32(0x04030201).take();
  Elf64_Phdr segment = {};
  segment.p_type = PT_NOTE;
  segment.p_offset = 512;
  segment.p_filesz = note.size();
  return test::ElfBuilder().section(".note", note, test::ElfBuilder::Fields{.offset = 512}).segment(segment).take();
}

TEST(Synthesis, AProcessIsForkNameAndItsCode) {
  const MadeRoots made;
  made.process(10, 1, "cat", maps_of_cat);
  const auto taken = synthesised(plan_of(made));
  ASSERT_THAT(taken.types(), ElementsAre(RecordType::fork, RecordType::comm, RecordType::mmap2, RecordType::mmap2));

  const auto records = taken.records();
  const auto fork = reader::decode_task(records[0]);
  EXPECT_EQ(fork->pid, 10);
  EXPECT_EQ(fork->tid, 10);
  EXPECT_EQ(fork->parent_pid, 1);
  EXPECT_EQ(fork->parent_tid, 1);
  EXPECT_TRUE(fork->synthesised);
  EXPECT_EQ(reader::decode_comm(records[1])->name, "cat");
  EXPECT_FALSE(reader::decode_comm(records[1])->exec);

  const auto code = taken.mappings().front();
  EXPECT_EQ(records[2].cpumode(), reader::CpuMode::user);
  EXPECT_EQ(code.pid, 10);
  EXPECT_EQ(code.tid, 10);
  EXPECT_EQ(code.start, 0x400000u);
  EXPECT_EQ(code.length, 0xc000u);
  EXPECT_EQ(code.page_offset, 0x1000u);
  EXPECT_EQ(code.protection, 5u);
  EXPECT_EQ(code.flags, 2u);
  EXPECT_EQ(code.path, "/bin/cat");
  ASSERT_TRUE(code.file);  // there is no such file
  EXPECT_EQ(code.file->device_major, 0xfdu);
  EXPECT_EQ(code.file->inode, 41038u);
  EXPECT_EQ(taken.mappings().back().path, "[vdso]");
  EXPECT_EQ(taken.counts.processes, 1u);
  EXPECT_EQ(taken.counts.mappings, 2u);
}

TEST(Synthesis, ThreadsHaveTheirProcessAsParentAndShareItsMappings) {
  const MadeRoots made;
  made.process(10, 1, "main", maps_of_cat);
  made.thread(10, 12, "worker", maps_of_cat);
  const auto taken = synthesised(plan_of(made));
  std::size_t workers = 0;
  for (const auto& record : taken.records()) {
    if (record.header.type != RecordType::fork) continue;
    const auto fork = reader::decode_task(record);
    if (fork->tid != 12) continue;
    ++workers;
    EXPECT_EQ(fork->pid, 10);
    EXPECT_EQ(fork->parent_pid, 10);
    EXPECT_EQ(fork->parent_tid, 10);
  }
  EXPECT_EQ(workers, 1u);
  EXPECT_EQ(taken.mappings().size(), 2u);
  EXPECT_EQ(taken.counts.threads, 2u);
}

TEST(Synthesis, MappingsAreReadFromAnotherThreadWhenTheFirstHasEnded) {
  const MadeRoots made;
  made.process(10, 1, "main", "");
  made.thread(10, 12, "worker", maps_of_cat);
  const auto taken = synthesised(plan_of(made));
  const auto mappings = taken.mappings();
  ASSERT_EQ(mappings.size(), 2u);
  EXPECT_EQ(mappings[0].pid, 10);
}

TEST(Synthesis, DataIsThereWhenAskedFor) {
  const MadeRoots made;
  made.process(10, 1, "cat", maps_of_cat);
  auto plan = plan_of(made);
  plan.data_mappings = true;
  const auto taken = synthesised(plan);
  const auto mappings = taken.mappings();
  ASSERT_EQ(mappings.size(), 4u);
  EXPECT_FALSE(mappings[0].data);
  EXPECT_TRUE(mappings[1].data);
  EXPECT_EQ(mappings[2].path, "[stack]");
}

TEST(Synthesis, OddNamesAreWhatTheKernelWouldRecord) {
  const MadeRoots made;
  made.process(10, 1, "odd\nname",
               "00400000-00401000 r-xp 00000000 fd:01 7 /tmp/two\\012lines\n"
               "00401000-00402000 r-xp 00000000 fd:01 8 /tmp/gone (deleted)\n"
               "00402000-00403000 r-xp 00000000 00:01 9 /memfd:code (deleted)\n"
               "00403000-00404000 rwxp 00000000 00:00 0 \n"
               "00404000-00405000 rwxp 00000000 00:00 0 [anon:jit]\n"
               "00405000-00406000 r-xp 00000000 fd:01 9 /tmp/a b\tc\n");
  const auto taken = synthesised(plan_of(made));
  std::vector<std::string> names;
  for (const auto& mapping : taken.mappings()) names.emplace_back(mapping.path);
  EXPECT_THAT(names, ElementsAre("/tmp/two\nlines", "/tmp/gone (deleted)", "/memfd:code (deleted)", "//anon", "//anon",
                                 "/tmp/a b\tc"));
  EXPECT_EQ(reader::decode_comm(taken.records()[1])->name, "odd\nname");
}

TEST(Synthesis, NamesOfKernelWorkersAreCutAsPerfCutsThem) {
  const MadeRoots made;
  made.process(10, 2, "kworker/0:0H-events_highpri");
  const auto taken = synthesised(plan_of(made));
  EXPECT_EQ(reader::decode_comm(taken.records()[1])->name, "kworker/0:0H-ev");
}

TEST(Synthesis, BuildIdsAreReadInTheContainerOfTheProcess) {
  const MadeRoots made;
  const auto elf = marked_elf();
  made.process(10, 1, "a", "00400000-00401000 r-xp 00000000 fd:01 7 /lib/a.so\n");
  made.proc("10/root/lib/a.so", {reinterpret_cast<const char*>(elf.data()), elf.size()});
  auto plan = plan_of(made);
  EXPECT_EQ(synthesised(plan).mappings().at(0).build_id.hex(), "01020304");
  plan.build_ids = false;
  EXPECT_TRUE(synthesised(plan).mappings().at(0).build_id.empty());
  EXPECT_EQ(synthesised(plan).mappings().at(0).file->inode, 7u);
}

TEST(Synthesis, DeletedFilesAreReadThroughTheMapping) {
  const MadeRoots made;
  const auto elf = marked_elf();
  made.process(10, 1, "a", "00400000-00401000 r-xp 00000000 fd:01 7 /lib/a.so (deleted)\n");
  made.proc("10/map_files/400000-401000", {reinterpret_cast<const char*>(elf.data()), elf.size()});
  made.proc("10/root/lib/a.so (deleted)", "another file");
  EXPECT_EQ(synthesised(plan_of(made)).mappings().at(0).build_id.hex(), "01020304");
}

TEST(Synthesis, APipeInPlaceOfAFileDoesNotBlock) {
  const MadeRoots made;
  made.process(10, 1, "a", "00400000-00401000 r-xp 00000000 fd:01 7 /pipe\n");
  std::filesystem::create_directories(made.path("proc/10/root"));
  ASSERT_EQ(mkfifo(made.path("proc/10/root/pipe").c_str(), 0600), 0);
  EXPECT_TRUE(synthesised(plan_of(made)).mappings().at(0).build_id.empty());
}

TEST(Synthesis, AHundredThousandMappingsAreRead) {
  const MadeRoots made;
  std::string maps;
  for (std::uint64_t i = 0; i < 100'000; ++i)
    maps += fmt::format("{:x}-{:x} r-xp {:08x} fd:01 41038      /tmp/mapped often\n", i << 12, (i + 1) << 12, i << 12);
  made.process(10, 1, "a", maps);
  auto plan = plan_of(made);
  plan.longest_read = std::chrono::hours(1);
  const auto taken = synthesised(plan);
  const auto mappings = taken.mappings();
  ASSERT_EQ(mappings.size(), 100'000u);
  for (std::uint64_t i = 0; i < mappings.size(); ++i) ASSERT_EQ(mappings[i].start, i << 12);
  EXPECT_FALSE(mappings.back().incomplete);
}

TEST(Synthesis, MappingsThatTakeTooLongEndWithAMark) {
  const MadeRoots made;
  made.process(10, 1, "cat", maps_of_cat);
  made.process(11, 1, "cat", "");
  auto plan = plan_of(made);
  plan.longest_read = std::chrono::milliseconds(-1);  // over when it begins
  const auto taken = synthesised(plan);
  ASSERT_EQ(taken.mappings().size(), 1u);
  EXPECT_TRUE(taken.mappings()[0].incomplete);
  EXPECT_EQ(taken.counts.cut_processes, 1u);
}

TEST(Synthesis, ProcessesThatEndMeanwhileAreNoError) {
  const MadeRoots made;
  made.proc("10/status", "Tgid:\t10\nPPid:\t1\n");  // no threads any more
  std::filesystem::create_directories(made.path("proc/11"));
  made.process(12, 1, "lives");
  std::filesystem::create_directories(made.path("proc/12/task/13"));  // this thread has ended
  auto plan = plan_of(made);
  EXPECT_THAT(synthesised(plan).types(), ElementsAre(RecordType::fork, RecordType::comm));
  plan.all_processes = false;
  plan.processes = {10, 11, 12, 99};
  EXPECT_THAT(synthesised(plan).types(), ElementsAre(RecordType::fork, RecordType::comm));
}

TEST(Synthesis, OnlyTheProcessesThatWereAskedForAreThere) {
  const MadeRoots made;
  made.process(10, 1, "a");
  made.process(11, 1, "b");
  made.thread(11, 15, "thread of b");
  made.proc("15/status", "Name:\tthread of b\nTgid:\t11\nPid:\t15\n");
  auto plan = plan_of(made);
  plan.all_processes = false;
  plan.processes = {15, 11};
  const auto taken = synthesised(plan);
  EXPECT_EQ(taken.counts.processes, 1u);
  EXPECT_EQ(taken.counts.threads, 2u);
  plan.processes = {};
  EXPECT_TRUE(synthesised(plan).bytes.empty());
}

TEST(Synthesis, RecordsHaveATrailerOfZerosForTheEventsOfTheRecording) {
  namespace bit = reader::sample_bit;
  const MadeRoots made;
  made.process(10, 1, "cat", maps_of_cat);
  auto plan = plan_of(made);
  const auto taken_without = synthesised(plan);
  const auto without = taken_without.records();
  plan.sample_type = bit::ip | bit::tid | bit::time | bit::cpu | bit::identifier;
  const auto taken = synthesised(plan);
  const auto with = taken.records();
  reader::EventAttr attr{.sample_type = plan.sample_type};
  attr.set(reader::attr_flag::sample_id_all);
  ASSERT_EQ(with.size(), without.size());
  for (std::size_t i = 0; i < with.size(); ++i) {
    EXPECT_EQ(with[i].header.size, without[i].header.size + 32);
    EXPECT_EQ(reader::decode_sample_id(with[i], attr).time, 0u);
    EXPECT_EQ(reader::decode_sample_id(with[i], attr).id, 0u);
  }
}

TEST(Synthesis, ManyThreadsGiveTheRecordsOfOne) {
  const MadeRoots made;
  for (int pid = 10; pid < 60; ++pid) made.process(pid, 1, fmt::format("process {}", pid), maps_of_cat);
  auto plan = plan_of(made);
  const auto sizes = [](const Taken& taken) {
    std::vector<std::string> records;
    for (const auto& record : taken.records())
      records.emplace_back(reinterpret_cast<const char*>(record.payload.data()), record.payload.size());
    std::ranges::sort(records);
    return records;
  };
  const auto alone = synthesised(plan);
  plan.threads = 4;
  const auto together = synthesised(plan);
  EXPECT_EQ(sizes(together), sizes(alone));
  EXPECT_EQ(together.counts.mappings, alone.counts.mappings);
}

TEST(Synthesis, NamespacesAreThoseOfTheThread) {
  const MadeRoots made;
  made.process(10, 1, "cat");
  made.proc("10/task/10/ns/mnt", "");
  auto plan = plan_of(made);
  plan.namespaces = true;
  const auto taken = synthesised(plan);
  ASSERT_THAT(taken.types(), ElementsAre(RecordType::fork, RecordType::namespaces, RecordType::comm));
  const auto namespaces = reader::decode_namespaces(taken.records()[1]);
  ASSERT_EQ(namespaces->links.size(), 7u);
  struct stat status;
  ASSERT_EQ(stat(made.path("proc/10/task/10/ns/mnt").c_str(), &status), 0);
  EXPECT_EQ(namespaces->links[5].inode, status.st_ino);
  EXPECT_EQ(namespaces->links[5].device, status.st_dev);
  EXPECT_EQ(namespaces->links[0].inode, 0u);
}

TEST(Synthesis, ControlGroupsComeParentsFirst) {
  const MadeRoots made;
  std::filesystem::create_directories(made.path("cgroup/system/a b"));
  std::filesystem::create_directories(made.path("cgroup/user"));
  made.proc("none", "");
  auto plan = plan_of(made);
  plan.cgroups = true;
  plan.cgroup_root = made.path("cgroup");
  const auto taken = synthesised(plan);
  std::vector<std::string> paths;
  for (const auto& record : taken.records()) {
    ASSERT_EQ(record.header.type, RecordType::cgroup);
    paths.emplace_back(reader::decode_cgroup(record)->path);
    EXPECT_NE(reader::decode_cgroup(record)->id, 0u);
  }
  EXPECT_THAT(paths, ::testing::UnorderedElementsAre("/", "/system", "/system/a b", "/user"));
  const auto at = [&](const char* path) { return std::ranges::find(paths, path); };
  EXPECT_LT(at("/"), at("/system"));
  EXPECT_LT(at("/system"), at("/system/a b"));
}

TEST(Synthesis, AnExceptionOfTheTakerComesOut) {
  const MadeRoots made;
  made.process(10, 1, "cat");
  EXPECT_THROW(synthesise(plan_of(made), [](Bytes) { throw std::runtime_error("disk full"); }), std::runtime_error);
}

Taken synthesised_of_itself() {
  SynthesisPlan plan;
  plan.processes = {getpid()};
  plan.kernel = false;
  return synthesised(plan);
}

TEST(Synthesis, OwnThreadsAreThere) {
  std::atomic<bool> end = false;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 20; ++i) threads.emplace_back([&] { end.wait(false); });
  const auto taken = synthesised_of_itself();
  end = true;
  end.notify_all();
  EXPECT_EQ(taken.counts.processes, 1u);
  EXPECT_GE(taken.counts.threads, 21u);
}

TEST(Synthesis, OwnCodeIsThere) {
  if (test::emulated()) GTEST_SKIP() << "under an emulator";
  const auto taken = synthesised_of_itself();
  const auto mappings = taken.mappings();
  const auto code = reinterpret_cast<std::uintptr_t>(&synthesise);
  EXPECT_TRUE(std::ranges::any_of(mappings, [&](const reader::Mmap& mapping) {
    return code - mapping.start < mapping.length && mapping.path == std::filesystem::read_symlink("/proc/self/exe");
  }));
}

}  // namespace
}  // namespace perfsift::record
