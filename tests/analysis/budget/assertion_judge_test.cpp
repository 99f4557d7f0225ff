// Results of assertions about values whose intervals are known.
#include "analysis/budget/assertion_judge.h"

#include <gmock/gmock.h>

namespace perfsift::analysis {
namespace {

using ::testing::HasSubstr;

filter::Assertion assertion_in(const std::string& text) {
  return filter::parse_budget({.origin = "budget.txt", .text = text}).assertions.front();
}

MeasuredValue between(double low, double value, double high) {
  MeasuredValue result = MeasuredValue::exact(value, 1000, "samples");
  result.value = Estimate{.value = value, .low = low, .high = high};
  return result;
}

Outcome outcome(const std::string& text, const MeasuredValue& after) {
  return judge_assertion(assertion_in(text), "budget.txt", after, nullptr).outcome;
}

TEST(JudgeAssertion, PassesWhereTheWholeIntervalKeepsTheLimit) {
  EXPECT_EQ(outcome("self(\"f\") < 3%", between(1, 2, 2.9)), Outcome::passed);
  EXPECT_EQ(outcome("self(\"f\") < 3%", between(2, 2.5, 3.1)), Outcome::cannot_judge);
  EXPECT_EQ(outcome("self(\"f\") < 3%", between(2, 3.5, 4)), Outcome::cannot_judge);
  EXPECT_EQ(outcome("self(\"f\") < 3%", between(3.1, 3.5, 4)), Outcome::failed);
  EXPECT_EQ(outcome("self(\"f\") > 3%", between(3.1, 3.5, 4)), Outcome::passed);
  EXPECT_EQ(outcome("self(\"f\") > 3%", between(1, 2, 2.9)), Outcome::failed);
}

TEST(JudgeAssertion, ComparesExactValuesAtTheLimit) {
  const auto exactly = [](double value) { return MeasuredValue::exact(value, 10, "samples"); };
  EXPECT_EQ(outcome("samples < 10", exactly(10)), Outcome::failed);
  EXPECT_EQ(outcome("samples <= 10", exactly(10)), Outcome::passed);
  EXPECT_EQ(outcome("samples > 10", exactly(10)), Outcome::failed);
  EXPECT_EQ(outcome("samples >= 10", exactly(10)), Outcome::passed);
  EXPECT_EQ(outcome("samples == 10", exactly(10)), Outcome::passed);
  EXPECT_EQ(outcome("samples == 10", exactly(11)), Outcome::failed);
}

TEST(JudgeAssertion, ComparesWithZeroWhatWasMeasured) {
  EXPECT_EQ(outcome("self(\"f\") == 0%", between(0, 0, 0.4)), Outcome::passed);
  EXPECT_EQ(outcome("self(\"f\") <= 0%", between(0, 0, 0.4)), Outcome::passed);
  EXPECT_EQ(outcome("self(\"f\") == 0%", between(0.01, 0.1, 0.4)), Outcome::failed);
}

TEST(JudgeAssertion, SaysHowMuchWouldDecide) {
  // The limit is 0.5 away, and the interval reaches 1, which is twice as far. So four times as many samples are needed.
  const AssertionResult result =
      judge_assertion(assertion_in("self(\"f\") < 3%"), "budget.txt", between(1.5, 2.5, 3.5), nullptr);
  EXPECT_EQ(result.outcome, Outcome::cannot_judge);
  EXPECT_THAT(result.explanation, HasSubstr("about 4000 samples in place of 1000"));
}

TEST(JudgeAssertion, NeverPassesWhatIsNotKnown) {
  const AssertionResult result = judge_assertion(assertion_in("\n\n  p99(offcpu) < 1ms"), "budget.txt",
                                                 MeasuredValue::not_known("no switch was recorded"), nullptr);
  EXPECT_EQ(result.outcome, Outcome::cannot_judge);
  EXPECT_EQ(result.explanation, "no switch was recorded");
  EXPECT_FALSE(result.measured);
  EXPECT_EQ(result.line, 3u);
  EXPECT_EQ(result.column, 3u);
  EXPECT_EQ(result.unit, AssertionUnit::nanoseconds);
}

TEST(JudgeAssertion, ComparesWithTheBaseline) {
  const MeasuredValue before = between(9.9, 10, 10.1);
  const auto outcome_of = [&](const std::string& text, const MeasuredValue& after) {
    return judge_assertion(assertion_in(text), "budget.txt", after, &before).outcome;
  };
  EXPECT_EQ(outcome_of("self(\"f\") < baseline + 10%", between(10.4, 10.5, 10.6)), Outcome::passed);
  EXPECT_EQ(outcome_of("self(\"f\") < baseline + 10%", between(11.9, 12, 12.1)), Outcome::failed);
  EXPECT_EQ(outcome_of("self(\"f\") < baseline + 10%", between(10.9, 11, 11.1)), Outcome::cannot_judge);
  EXPECT_EQ(outcome_of("self(\"f\") < baseline + 0.2 points", between(10.45, 10.5, 10.6)), Outcome::failed);
  EXPECT_EQ(outcome_of("self(\"f\") < baseline - 20%", between(7, 7.1, 7.2)), Outcome::passed);
  EXPECT_EQ(outcome("self(\"f\") < baseline", before), Outcome::cannot_judge);  // without a baseline
}

// Newcombe (1998), table II, example (a), method 10: 56/70 - 48/80 has the interval 0.0524 to 0.3339, from the Wilson
// intervals 0.6919 to 0.8771 and 0.4904 to 0.7007 of the two shares.
TEST(JudgeAssertion, HasTheIntervalOfPublishedTables) {
  const MeasuredValue before = between(49.04, 60, 70.07);
  const auto outcome_of = [&](const std::string& text) {
    return judge_assertion(assertion_in(text), "budget.txt", between(69.19, 80, 87.71), &before).outcome;
  };
  EXPECT_EQ(outcome_of("self(\"f\") > baseline + 5.2 points"), Outcome::passed);
  EXPECT_EQ(outcome_of("self(\"f\") > baseline + 5.3 points"), Outcome::cannot_judge);
  EXPECT_EQ(outcome_of("self(\"f\") < baseline + 33.5 points"), Outcome::passed);
  EXPECT_EQ(outcome_of("self(\"f\") < baseline + 33.3 points"), Outcome::cannot_judge);
}

}  // namespace
}  // namespace perfsift::analysis
