#include "analysis/gate/duplicate_runs.h"

#include <gmock/gmock.h>

namespace perfsift::analysis {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Run run_of(const char* name, std::vector<BlockCount> counts) {
  return {.name = name, .blocks = 64, .counts = std::move(counts)};
}

TEST(DuplicateRuns, AreRemovedWithTheirBuilds) {
  const std::vector<BlockCount> counts{{.stack = 1, .block = 2, .samples = 3}, {.stack = 2, .block = 0, .samples = 1}};
  const std::vector<BlockCount> shifted{{.stack = 1, .block = 3, .samples = 3}, {.stack = 2, .block = 0, .samples = 1}};
  GateSide side{.runs = {run_of("a", counts), run_of("b", shifted), run_of("copy of a", counts), run_of("c", {}),
                         run_of("d", {}), run_of("copy of b", shifted)},
                .builds = {0, 0, 1, 2, 2, 3}};
  const std::vector<DuplicateRun> duplicates = remove_duplicate_runs(side);
  ASSERT_EQ(duplicates.size(), 2u);
  EXPECT_EQ(duplicates[0].name, "copy of a");
  EXPECT_EQ(duplicates[0].of, "a");
  EXPECT_EQ(duplicates[1].of, "b");
  ASSERT_EQ(side.runs.size(), 4u);
  EXPECT_EQ(side.runs[3].name, "d");
  EXPECT_THAT(side.builds, ElementsAre(0, 0, 1, 1));
  EXPECT_EQ(side.repeats(), 2u);
}

TEST(DuplicateRuns, WithoutTimesAreFoundToo) {
  const std::vector<BlockCount> counts{{.stack = 1, .block = 0, .samples = 3}};
  GateSide side{.runs = {run_of("timed", counts), run_of("not timed", counts), run_of("not timed either", counts)},
                .builds = {}};
  side.runs[1].blocks = side.runs[2].blocks = 1;
  EXPECT_EQ(remove_duplicate_runs(side).size(), 1u);
  EXPECT_THAT(remove_duplicate_runs(side), IsEmpty());
  EXPECT_EQ(side.repeats(), 2u);
}

}  // namespace
}  // namespace perfsift::analysis
