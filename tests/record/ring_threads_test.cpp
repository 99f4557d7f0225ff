#include "record/ring_threads.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/error.h"
#include "tests/record/made_roots.h"

namespace perfsift::record {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::vector<unsigned> all_four{0, 1, 2, 3};

// Two packages of a core each with two threads, numbered as Linux does: the second threads come last.
class RingThreadsTest : public ::testing::Test {
 protected:
  RingThreadsTest() {
    made_.sys("devices/system/cpu/online", "0-3\n");
    made_.sys("devices/system/cpu/present", "0-3\n");
    for (const unsigned cpu : all_four) {
      const std::string folder = fmt::format("devices/system/cpu/cpu{}/topology/", cpu);
      made_.sys(folder + "core_cpus_list", cpu % 2 == 0 ? "0,2\n" : "1,3\n");
      made_.sys(folder + "package_cpus_list", cpu % 2 == 0 ? "0,2\n" : "1,3\n");
    }
    made_.sys("devices/system/node/online", "0\n");
    made_.sys("devices/system/node/node0/cpulist", "0-3\n");
  }

  std::vector<RingThread> threads(std::string_view spec, const std::vector<unsigned>& recorded = all_four) const {
    return ring_threads(spec, recorded, made_.roots());
  }
  std::string refusal(std::string_view spec, const std::vector<unsigned>& recorded = all_four) const {
    try {
      threads(spec, recorded);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "accepted";
  }

  MadeRoots made_;
};

RingThread same(const std::vector<unsigned>& cpus) { return {.cpus = cpus, .affinity = cpus}; }

TEST_F(RingThreadsTest, ACpuACoreAPackageOrANodeHasAThread) {
  EXPECT_THAT(threads("cpu"), ElementsAre(same({0}), same({1}), same({2}), same({3})));
  EXPECT_THAT(threads("core"), ElementsAre(same({0, 2}), same({1, 3})));
  EXPECT_THAT(threads("package"), ElementsAre(same({0, 2}), same({1, 3})));
  EXPECT_THAT(threads("numa"), ElementsAre(same({0, 1, 2, 3})));
}

TEST_F(RingThreadsTest, CpusThatAreNotRecordedHaveNoThread) {
  EXPECT_THAT(threads("cpu", {1, 2}), ElementsAre(same({1}), same({2})));
  EXPECT_THAT(threads("core", {0, 2}), ElementsAre(same({0, 2})));
}

TEST_F(RingThreadsTest, AMachineThatDoesNotSayItsCoresHasOneThread) {
  const MadeRoots silent;
  silent.sys("devices/system/cpu/online", "0-3\n");
  EXPECT_THAT(ring_threads("core", all_four, silent.roots()), ElementsAre(same({0, 1, 2, 3})));
}

// The example of perf-record(1), for four CPUs.
TEST_F(RingThreadsTest, MasksNameCpusAndWhereTheirThreadRuns) {
  EXPECT_THAT(threads("0,2-3/2-3:1/0"),
              ElementsAre(RingThread{.cpus = {0, 2, 3}, .affinity = {2, 3}}, RingThread{.cpus = {1}, .affinity = {0}}));
  EXPECT_THAT(threads("0-3,9/0,9"), ElementsAre(RingThread{.cpus = {0, 1, 2, 3}, .affinity = {0}}));
}

// The refusals of record__init_thread_masks_spec(), and CPUs whose rings perf would not read.
TEST_F(RingThreadsTest, WrongMasksAreRefused) {
  EXPECT_THAT(refusal("socket"), HasSubstr("'socket' is no list of CPUs"));
  EXPECT_THAT(refusal("0-3"), HasSubstr("'' is no list of CPUs"));
  EXPECT_THAT(refusal("9/0"), HasSubstr("CPU 9: none of these CPUs is recorded"));
  EXPECT_THAT(refusal("0-3/9"), HasSubstr("affinity 9: none of these CPUs is recorded"));
  EXPECT_THAT(refusal("0-1/0:1-3/1"), HasSubstr("CPU 1 is in two CPU masks"));
  EXPECT_THAT(refusal("0-1/0:2-3/0"), HasSubstr("CPU 0 is in two affinity masks"));
  EXPECT_THAT(refusal("0,2/0"), HasSubstr("no thread reads CPU 1,3; -C 0,2 records the others only"));
}

TEST_F(RingThreadsTest, SampledCpusAreThoseThatWereAskedForOrAll) {
  Target target;
  EXPECT_EQ(sampled_cpus(target, made_.roots()), all_four);
  target.cpus = {3, 1, 3};
  EXPECT_THAT(sampled_cpus(target, made_.roots()), ElementsAre(1u, 3u));
}

}  // namespace
}  // namespace perfsift::record
