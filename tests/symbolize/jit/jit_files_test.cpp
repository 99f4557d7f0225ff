#include "symbolize/jit/jit_files.h"

#include <cerrno>
#include <csignal>
#include <fstream>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "symbolize/jit/perf_map.h"
#include "tests/support/emulated.h"
#include "tests/support/temporary.h"
#include "tests/symbolize/fixtures.h"

namespace perfsift::symbolize {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

constexpr uid_t somebody = 65534, another = 65533;

struct stat of_owner(uid_t owner) {
  struct stat status = {};
  status.st_uid = owner;
  return status;
}

TEST(BelievedOwners, AreTheUserRootAndTheUserOfTheProcess) {
  const BelievedOwners gone{.anybody = false, .process = {}}, runs{.anybody = false, .process = somebody};
  for (const uid_t owner : {uid_t{0}, geteuid()}) {
    EXPECT_TRUE(gone.include(of_owner(owner)));
    EXPECT_TRUE(runs.include(of_owner(owner)));
  }
  EXPECT_FALSE(gone.include(of_owner(somebody)));
  EXPECT_TRUE(runs.include(of_owner(somebody)));
  EXPECT_FALSE(runs.include(of_owner(another)));
  EXPECT_TRUE((BelievedOwners{.anybody = true, .process = {}}.include(of_owner(another))));
}

TEST(BelievedOwners, ALinkOfTheProcessLeadsToItsOwnFilesOnly) {
  const BelievedOwners runs{.anybody = false, .process = somebody};
  EXPECT_TRUE(runs.include(of_owner(somebody), of_owner(somebody)));
  EXPECT_TRUE(runs.include(of_owner(geteuid()), of_owner(somebody)));
  EXPECT_FALSE(runs.include(of_owner(somebody), of_owner(geteuid())));
  EXPECT_FALSE(runs.include(of_owner(somebody), of_owner(0)));
  EXPECT_FALSE(runs.include(of_owner(another), of_owner(0)));
}

class JitFiles : public testing::Test {
 protected:
  JitFile open_file(const SymbolizeOptions& options = test::nowhere_else()) const {
    return open_jit_file(binary, path, path, options);
  }
  void write_map() const { directory.write("map", std::string_view("1000 10 jitted\n")); }

  const test::TemporaryDirectory directory;
  const std::string path = directory.path() / "map";
  Binary binary{.path = path, .build_id = {}, .kind = BinaryKind::jit_dump, .pid = 42};
};

TEST_F(JitFiles, OfTheUserAreBelievedThroughLinksToo) {
  EXPECT_EQ(open_file().missing, Missing::file_missing);
  directory.write("elsewhere", std::string_view("1000 10 jitted\n"));
  ASSERT_EQ(symlink("elsewhere", path.c_str()), 0);
  const JitFile found = open_file();
  EXPECT_EQ(found.missing, Missing::none);
  EXPECT_EQ(found.path, path);
  EXPECT_EQ(test::name_at(*read_perf_map(found.file, found.path), 0x1008), "jitted");
}

// Opening such a file could block forever or have side effects.
TEST_F(JitFiles, ThatAreNoFilesAreNotOpened) {
  const auto is_unreadable = [&] {
    const JitFile found = open_file();
    return !found.file && found.missing == Missing::file_unreadable;
  };
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_TRUE(is_unreadable());
  ASSERT_EQ(unlink(path.c_str()), 0);
  ASSERT_EQ(mkdir(path.c_str(), 0700), 0);
  EXPECT_TRUE(is_unreadable());
  ASSERT_EQ(rmdir(path.c_str()), 0);
  ASSERT_EQ(symlink("/dev/zero", path.c_str()), 0);
  EXPECT_TRUE(is_unreadable());
}

// If the map of a process is a pipe, the pipe's writer must never see a reader.
TEST_F(JitFiles, APipeHasNoReaderEver) {
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  open_file();
  EXPECT_EQ(open(path.c_str(), O_WRONLY | O_NONBLOCK), -1);
  EXPECT_EQ(errno, ENXIO);
}

// Only root can change the owner of a file.
class JitFilesOfOthers : public JitFiles {
 protected:
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "only root can make files of others";
  }
  void give(const std::string& file, uid_t owner) const { ASSERT_EQ(lchown(file.c_str(), owner, owner), 0); }
};

TEST_F(JitFilesOfOthers, AreIgnoredUnlessTheUserSaysOtherwise) {
  write_map();
  give(path, somebody);
  EXPECT_EQ(open_file().missing, Missing::foreign_owner);
  EXPECT_FALSE(open_file().file);
  SymbolizeOptions options = test::nowhere_else();
  options.force = true;
  EXPECT_TRUE(open_file(options).file);
}

// Files copied from another machine may have any owner.
TEST_F(JitFilesOfOthers, BelowASymfsAreBelieved) {
  directory.write("root/tmp/map", std::string_view("1000 10 jitted\n"));
  give(directory.path() / "root/tmp/map", somebody);
  SymbolizeOptions options = test::nowhere_else();
  options.symfs = directory.path() / "root";
  EXPECT_TRUE(open_jit_file(binary, "/tmp/map", "/tmp/map", options).file);
}

TEST_F(JitFilesOfOthers, AreNotReachedThroughLinksAndLinksOfOthersLeadNowhere) {
  directory.write("other", std::string_view("1000 10 jitted\n"));
  give(directory.path() / "other", somebody);
  ASSERT_EQ(symlink("other", path.c_str()), 0);
  EXPECT_EQ(open_file().missing, Missing::foreign_owner);
  give(directory.path() / "other", 0);
  EXPECT_TRUE(open_file().file);
  give(path, somebody);
  EXPECT_EQ(open_file().missing, Missing::foreign_owner);
}

TEST_F(JitFilesOfOthers, AreBelievedWhileTheProcessRunsAsTheirOwner) {
  if (test::emulated()) GTEST_SKIP() << "under an emulator";
  write_map();
  give(path, somebody);
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const char done = setresuid(somebody, somebody, somebody) == 0 ? 'y' : 'n';
    if (write(ready[1], &done, 1) == 1) pause();
    _exit(0);
  }
  char done = 'n';
  ASSERT_EQ(read(ready[0], &done, 1), 1);
  close(ready[0]);
  close(ready[1]);
  struct stat process;
  ASSERT_EQ(stat(("/proc/" + std::to_string(child)).c_str(), &process), 0);
  binary.same_kernel = true;
  binary.mapper = {.pid = child, .address = reinterpret_cast<std::uint64_t>(&_exit)};
  // In /proc, a process that changed its user belongs to root, unless it may dump core.
  EXPECT_EQ(static_cast<bool>(open_file().file), process.st_uid == somebody);
  give(path, another);
  EXPECT_EQ(open_file().missing, Missing::foreign_owner);
  give(path, somebody);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(open_file().missing, Missing::foreign_owner);
}

TEST_F(JitFilesOfOthers, AreTheReasonWhyNamesAreMissing) {
  write_map();
  give(path, somebody);
  Symbolizer symbolizer(test::nowhere_else());
  EXPECT_EQ(symbolizer.file(binary).why_missing(), Missing::foreign_owner);
  ASSERT_THAT(symbolizer.warnings(), SizeIs(1));
  EXPECT_EQ(symbolizer.warnings()[0].path, path);

  // Greater than every process id (PID_MAX_LIMIT), and different in other runs, because users and clones share /tmp.
  const std::int32_t nobodys_pid = (1 << 22) + getpid();
  const std::string map = "/tmp/perf-" + std::to_string(nobodys_pid) + ".map";
  std::ofstream(map) << "1000 10 jitted\n";
  give(map, somebody);
  const Binary of_map{.path = map, .build_id = {}, .kind = BinaryKind::perf_map, .pid = nobodys_pid};
  EXPECT_EQ(symbolizer.file(of_map).why_missing(), Missing::foreign_owner);
  EXPECT_THAT(symbolizer.warnings(), SizeIs(2));
  SymbolizeOptions options = test::nowhere_else();
  options.force = true;
  Symbolizer forced(options);
  EXPECT_EQ(test::name_at(forced.file(of_map), 0x1008), "jitted");
  EXPECT_THAT(forced.warnings(), IsEmpty());
  unlink(map.c_str());
}

std::unique_ptr<SymbolTable> read_map(const std::string& path, const PerfMapLimits& limits) {
  return read_perf_map(FileDescriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC)), path, limits);
}

TEST_F(JitFiles, OfAMapThatIsTooLargeTheEndIsRead) {
  directory.write("map", std::string_view("1000 10 first\n2000 10 second\n3000 10 third\n4000 10 last"));
  for (const PerfMapLimits& limits : {PerfMapLimits{.bytes = 30}, PerfMapLimits{.entries = 2}}) {
    const auto map = read_map(path, limits);
    EXPECT_EQ(test::name_at(*map, 0x3008), "third");
    EXPECT_EQ(test::name_at(*map, 0x4008), "last");
    EXPECT_THAT(map->symbols(), SizeIs(2));
    ASSERT_THAT(map->warnings(), SizeIs(1));
    EXPECT_EQ(map->warnings()[0].path, path);
  }
  const auto all = read_map(path, {.bytes = 59, .entries = 4});
  EXPECT_THAT(all->symbols(), SizeIs(4));
  EXPECT_THAT(all->warnings(), IsEmpty());
}

// Any user can run `truncate -s 3G`.
TEST_F(JitFiles, WhatASparseMapDoesNotStoreTakesNoMemory) {
  constexpr off_t gigabyte = off_t{1} << 30;
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_GE(file, 0);
  ASSERT_EQ(pwrite(file, "1000 10 first\n", 14, 0), 14);
  ASSERT_EQ(pwrite(file, "\n2000 10 middle\n", 16, 2 * gigabyte), 16);
  ASSERT_EQ(ftruncate(file, 3 * gigabyte), 0);
  close(file);

  rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  const auto map = read_map(path, {});
  getrusage(RUSAGE_SELF, &after);
  EXPECT_EQ(test::name_at(*map, 0x1008), "first");
  EXPECT_EQ(test::name_at(*map, 0x2008), "middle");
  EXPECT_THAT(map->warnings(), IsEmpty());
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 100 << 10);  // KiB
}

// A process may rewrite its map. Reading a mapped file behind its new end raises SIGBUS.
TEST_F(JitFiles, NamesOfAMapStayWhenTheMapIsCut) {
  directory.write("map", std::string_view("1000 10 jitted\n"));
  const auto map = read_map(path, {});
  ASSERT_EQ(truncate(path.c_str(), 0), 0);
  EXPECT_EQ(test::name_at(*map, 0x1008), "jitted");
}

TEST_F(JitFiles, AnEmptyMapHasNoNames) {
  directory.write("map", std::string_view(""));
  EXPECT_EQ(read_map(path, {})->why_missing(), Missing::no_symbol);
}

}  // namespace
}  // namespace perfsift::symbolize
