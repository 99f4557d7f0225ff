#include "record/target.h"

#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <unistd.h>

#include "base/error.h"
#include "record/cgroups.h"
#include "record/machine/mounts.h"
#include "record/machine/number_text.h"
#include "tests/support/temporary.h"

namespace perfsift::record {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Optional;

// A machine with the CPUs 0, 1 and 3, process 10 with the threads 10 and 12, and process 20.
class TargetTest : public ::testing::Test {
 protected:
  TargetTest() {
    for (const char* thread : {"proc/10/task/10/comm", "proc/10/task/12/comm", "proc/20/task/20/comm", "proc/self/x"}) {
      folder_.write(thread, "x");
    }
    folder_.write("sys/devices/system/cpu/online", "0-1,3\n");
  }

  std::vector<Place> places(const Target& target, std::optional<std::int32_t> command = std::nullopt) const {
    return places_of(target, command, {folder_.path() / "proc", folder_.path() / "sys"});
  }
  // The message of the UsageError.
  std::string refusal(const Target& target) const {
    try {
      places(target);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "accepted";
  }

  test::TemporaryDirectory folder_;
};

TEST_F(TargetTest, SystemWideMeansEachCpuThatIsOnline) {
  Target target;
  target.system_wide = true;
  EXPECT_THAT(places(target), ElementsAre(Place{-1, 0}, Place{-1, 1}, Place{-1, 3}));
}

TEST_F(TargetTest, ListOfCpusMeansAllThreadsOfTheseCpus) {
  Target target;
  target.cpus = {3, 0, 3};
  EXPECT_THAT(places(target), ElementsAre(Place{-1, 0}, Place{-1, 3}));
  target.command = {"true"};
  EXPECT_THAT(places(target, 30), ElementsAre(Place{-1, 0}, Place{-1, 3}));
}

TEST_F(TargetTest, CpuThatIsNotOnlineIsRefused) {
  Target target;
  target.cpus = {2};
  EXPECT_EQ(refusal(target), "CPU 2 is not online; these CPUs are: 0,1,3");
}

// Containers and roots for chroot(2) may have no sysfs. show_stat() in fs/proc/stat.c lists the CPUs that are online.
TEST_F(TargetTest, WithoutSysfsProcSaysWhichCpusAreOnline) {
  std::filesystem::remove_all(folder_.path() / "sys");
  folder_.write("proc/stat", "cpu  30 0 30\ncpu0 10 0 10\ncpu1 10 0 10\ncpu12 10 0 10\nintr 7 0\nctxt 9\n");
  Target target;
  target.system_wide = true;
  EXPECT_THAT(places(target), ElementsAre(Place{-1, 0}, Place{-1, 1}, Place{-1, 12}));
  folder_.write("proc/stat", "");
  EXPECT_THROW(places(target), Error);
}

// "inherit" and no CPU cannot be mapped, so each thread has a counter on each CPU.
TEST_F(TargetTest, ProcessMeansAllItsThreadsOnEachCpu) {
  Target target;
  target.processes = {10};
  EXPECT_THAT(places(target),
              ElementsAre(Place{10, 0}, Place{12, 0}, Place{10, 1}, Place{12, 1}, Place{10, 3}, Place{12, 3}));
}

TEST_F(TargetTest, ThreadsCanHaveOneRingForAllCpus) {
  Target target;
  target.threads = {12};
  target.processes = {20};
  target.per_thread = true;
  EXPECT_THAT(places(target), ElementsAre(Place{12, -1}, Place{20, -1}));
}

TEST_F(TargetTest, ThreadsOnCertainCpus) {
  Target target;
  target.threads = {12};
  target.cpus = {1};
  EXPECT_THAT(places(target), ElementsAre(Place{12, 1}));
}

TEST_F(TargetTest, CommandHasACounterOnEachCpu) {
  Target target;
  target.command = {"true"};
  EXPECT_THAT(places(target, 30), ElementsAre(Place{30, 0}, Place{30, 1}, Place{30, 3}));
}

TEST_F(TargetTest, CommandOnlyLimitsTheTimeOfOtherTargets) {
  Target target;
  target.command = {"sleep", "1"};
  target.processes = {20};
  target.per_thread = true;
  EXPECT_THAT(places(target, 30), ElementsAre(Place{20, -1}));
}

TEST_F(TargetTest, ProcessThatDoesNotExistIsRefused) {
  Target target;
  target.processes = {11};
  EXPECT_EQ(refusal(target), "process 11 does not exist");
}

TEST_F(TargetTest, UserMeansAllProcessesThatBelongToTheUser) {
  Target target;
  target.user = geteuid();  // the folders belong to the user who runs the test
  target.per_thread = true;
  EXPECT_THAT(places(target), ElementsAre(Place{10, -1}, Place{12, -1}, Place{20, -1}));
  target.user = geteuid() + 1;
  EXPECT_THAT(refusal(target), HasSubstr("has no process"));
}

TEST_F(TargetTest, SystemThatDoesNotSayWhichCpusAreOnlineIsAnError) {
  Target target;
  target.system_wide = true;
  EXPECT_THROW(places_of(target, std::nullopt, {folder_.path() / "proc", folder_.path()}), Error);
}

TEST(CpuList, HasNumbersAndRanges) {
  EXPECT_THAT(read_number_list(""), Optional(testing::IsEmpty()));
  EXPECT_THAT(read_number_list("0-2,5,7-7"), Optional(ElementsAre(0, 1, 2, 5, 7)));
  EXPECT_THAT(read_number_list("4"), Optional(ElementsAre(4)));
  for (const char* wrong : {"a", "1-", "-1", "3-1", "1,,2", "0-4294967295", "1 2", "99999999999"}) {
    EXPECT_EQ(read_number_list(wrong), std::nullopt) << wrong;
  }
}

TEST(CgroupRoot, HierarchyOfPerfEventComesBeforeVersion2) {
  const std::string version_2 = "cgroup2 /sys/fs/cgroup/unified cgroup2 rw,relatime 0 0\n";
  const std::string other = "cgroup /sys/fs/cgroup/cpu cgroup rw,relatime,cpu 0 0\n";
  const std::string perf = "cgroup /sys/fs/cgroup/perf_event cgroup rw,nosuid,perf_event 0 0\n";
  EXPECT_EQ(cgroup_mount_point(other + version_2), "/sys/fs/cgroup/unified");
  EXPECT_EQ(cgroup_mount_point(version_2 + other + perf), "/sys/fs/cgroup/perf_event");
  EXPECT_EQ(cgroup_mount_point(other), "");
}

TEST(Cgroups, GroupThatDoesNotExistIsRefusedByName) {
  const test::TemporaryDirectory folder;
  folder.write("mounts", "cgroup2 " + folder.path().string() + " cgroup2 rw 0 0\n");
  folder.write("web/cgroup.procs", "");
  const auto opened = open_cgroups({"web", ""}, folder.path());
  ASSERT_EQ(opened.size(), 2u);
  EXPECT_TRUE(opened[0]);
  EXPECT_FALSE(opened[1]);
  try {
    open_cgroups({"other"}, folder.path());
    FAIL() << "the cgroup was accepted";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("/other: No such file or directory"));
  }
}

}  // namespace
}  // namespace perfsift::record
