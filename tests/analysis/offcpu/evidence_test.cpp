#include "analysis/offcpu/evidence.h"

#include <gmock/gmock.h>

namespace perfsift::offcpu {
namespace {

using ::testing::HasSubstr;
using ::testing::Optional;

TEST(Evidence, ToleratesFewSwitchesThatWereNotChosenAndTellsOfThem) {
  const SchedulerCounts counts{.switches = 995};
  FeedSources sources{.switches = true, .switches_recorded = 995, .switches_in_all = 1000};
  const Evidence evidence{.sources = sources, .counts = counts, .whole_intervals = 900};
  EXPECT_EQ(why_nothing_can_be_said(evidence), std::nullopt);
  EXPECT_THAT(missing_switches(evidence), Optional(HasSubstr("about 5 switches were not recorded (-F and -c choose")));
  sources.switches_in_all = 1006;
  EXPECT_THAT(why_nothing_can_be_said(evidence), Optional(HasSubstr("has 995 of about 1006 switches")));
  EXPECT_EQ(missing_switches(evidence), std::nullopt);
  sources.switch_records = true;
  EXPECT_EQ(why_nothing_can_be_said(evidence), std::nullopt);
  EXPECT_EQ(missing_switches(evidence), std::nullopt);
}

}  // namespace
}  // namespace perfsift::offcpu
