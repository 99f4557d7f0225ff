#include "output/quality/quality_lines.h"

#include <gmock/gmock.h>

namespace perfsift::output {
namespace {

using symbolize::Missing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(QualityLines, AreNoneWithoutGaps) {
  EXPECT_THAT(quality_lines({.sample_records = 10, .samples = 10, .callchains = 10, .frames = 50}), IsEmpty());
}

TEST(QualityLines, SayWhatWasLostBeforeWhatHasNoName) {
  analysis::Quality quality{.kernel_records = 97,
                            .lost_records = 3,
                            .sample_records = 198,
                            .lost_samples = 2,
                            .throttled = 3,
                            .throttled_time = 1'500'000'000,
                            .throttled_without_end = 1,
                            .read_bytes = 300,
                            .skipped_bytes = 100,
                            .callchains = 8,
                            .truncated_stacks = 1,
                            .frames = 200};
  quality.unresolved[{"/opt/app", Missing::stripped}] = 40;
  quality.unresolved[{"[unknown]", Missing::no_mapping}] = 10;
  quality.incomplete[{"/opt/app", analysis::StackTail::copy_short}] = 2;
  EXPECT_THAT(
      quality_lines(quality),
      ElementsAre(
          "lost: 2 samples (1 %)", "lost: 3 records (3 %)", "throttled: 3 times, 1.500000 s in all, 1 without an end",
          "not readable: 100 bytes (25 %)", "cut: 1 stack (12.5 %)",
          "incomplete: 2 stacks (25 %), mostly: " + std::string(describe(analysis::StackTail::copy_short)) + ": 25 %",
          "without a name: 50 frames (25 %), mostly: " + std::string(describe(Missing::stripped)) + ": 20 %"));
}

TEST(QualityLines, TellALossOnce) {
  EXPECT_THAT(quality_lines(
                  {.kernel_records = 97, .lost_records = 3, .sample_records = 97, .lost_samples = 3, .told_twice = 3}),
              ElementsAre("lost: 3 samples (3 %)"));
}

TEST(QualityLines, NeverRoundAGapToNothing) {
  EXPECT_THAT(quality_lines({.sample_records = 1'000'000, .lost_samples = 1}),
              ElementsAre("lost: 1 sample (less than 0.1 %)"));
}

TEST(QualityLines, TellInterruptsThatWereLeftOut) {
  analysis::Quality quality{.samples = 10'000};
  quality.interrupts = {.left_out = 412, .of = 10'000};
  EXPECT_THAT(quality_lines(quality), ElementsAre("interrupts left out: 412 samples (4.12 %)"));
  EXPECT_TRUE(is_quality_line("interrupts left out: 412 samples (4.12 %)"));
}

}  // namespace
}  // namespace perfsift::output
