#include "analysis/input/recording_description.h"

#include <gmock/gmock.h>

#include "tests/support/full_recording.h"
#include "tests/support/paths.h"
#include "tests/support/temporary.h"

namespace perfsift::analysis {
namespace {

using ::testing::ElementsAre;

// The output of `perf report --header-only` of perf 6.1 for the recording.
TEST(RecordingDescription, IsThatOfTheHeader) {
  const auto recording = reader::Recording::open(test::source_path("testdata/demo.data"));
  const RecordingDescription description = describe(*recording);
  EXPECT_EQ(description.path, recording->path());
  EXPECT_EQ(description.hostname, "demo");
  EXPECT_EQ(description.kernel, "6.18.44");
  EXPECT_EQ(description.machine, "x86_64");
  EXPECT_EQ(description.cpu, "AMD EPYC");
  EXPECT_EQ(description.cpus_online, 2u);
  EXPECT_EQ(description.perf_version, "6.1.192");
  EXPECT_THAT(description.command, ElementsAre("/usr/bin/perf", "record", "-q", "-N", "-F", "2000", "-g", "-e",
                                               "cpu-clock:u", "-o", "demo.data", "./demo"));
  EXPECT_EQ(description.wall_clock_offset, std::nullopt);
  ASSERT_EQ(description.events.size(), 1u);
  EXPECT_EQ(description.events[0].stacks, "fp");
}

// perf record -k CLOCK_MONOTONIC stores one moment on both clocks.
TEST(RecordingDescription, HasTheWallClockIfItWasRecorded) {
  const test::TemporaryDirectory folder;
  const std::string path = folder.write("perf.data", test::full_recording().file());
  EXPECT_EQ(describe(*reader::Recording::open(path)).wall_clock_offset, 1'700'000'000 - 77);
}

}  // namespace
}  // namespace perfsift::analysis
