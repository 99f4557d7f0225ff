// Shares of functions, on stacks made by hand.
#include "analysis/budget/function_measures.h"

#include <sstream>

#include <gmock/gmock.h>

#include "analysis/budget/assertion_judge.h"
#include "analysis/budget/block_shares.h"
#include "analysis/budget/quality_measures.h"

namespace perfsift::analysis {
namespace {

using ::testing::HasSubstr;

// 1000 samples: main;parse;malloc 500, main;on_packet;page_fault 100, main;on_packet;malloc;malloc 200, main 200.
class FunctionMeasures : public ::testing::Test {
 protected:
  FunctionMeasures() {
    StackList& list = profile_.new_list();
    const std::uint32_t libc = profile_.frames().binary({.path = "/lib/libc.so.6", .build_id = {}});
    const auto frame = [&](const char* name) {
      FrameOrigin origin{.kind = FrameKind::user};
      if (std::string_view(name) == "malloc") origin.binary = libc;
      return profile_.frames().intern(name, origin);
    };
    const auto add = [&](std::vector<const char*> names, std::uint64_t samples) {
      std::vector<FrameId> frames;
      for (const char* name : names) frames.push_back(frame(name));
      list.add(profile_.event("cycles"), frames, {.samples = samples, .value = samples});
      run_.counts.push_back(
          {.stack = static_cast<std::uint32_t>(run_.counts.size() + 1), .block = 0, .samples = samples});
    };
    add({"main", "parse", "malloc"}, 500);
    add({"main", "on_packet", "page_fault"}, 100);
    add({"main", "on_packet", "malloc", "malloc"}, 200);
    add({"main"}, 200);
  }

  AssertionResult judge(const std::string& text) const {
    const filter::Assertion assertion = filter::parse_budget({.origin = "b", .text = text}).assertions.front();
    const GateStacks stacks(profile_);
    return judge_assertion(assertion, "b", measure_function(assertion, stacks, {run_}), nullptr);
  }
  Outcome outcome(const std::string& text) const { return judge(text).outcome; }

  Profile profile_;
  analysis::Run run_;
};

TEST_F(FunctionMeasures, AreSharesOfSamples) {
  EXPECT_DOUBLE_EQ(judge("self(\"malloc\") < 80%").measured->value, 70);
  EXPECT_DOUBLE_EQ(judge("total(\"malloc\") < 80%").measured->value, 70);  // twice in a stack counts once
  EXPECT_DOUBLE_EQ(judge("total(\"main\") > 80%").measured->value, 100);
  EXPECT_DOUBLE_EQ(judge("self(\"main\") < 80%").measured->value, 20);
  EXPECT_EQ(outcome("self(\"malloc\") < 75%"), Outcome::passed);
  EXPECT_EQ(outcome("self(\"malloc\") < 65%"), Outcome::failed);
  EXPECT_EQ(outcome("total(\"on_packet\") < 35%"), Outcome::passed);
  EXPECT_EQ(outcome("total(\"on_packet\") < 25%"), Outcome::failed);
}

TEST_F(FunctionMeasures, NameFunctionsAsFiltersDo) {
  EXPECT_DOUBLE_EQ(judge("self(\"mal*\") < 80%").measured->value, 70);
  EXPECT_DOUBLE_EQ(judge("self(=~ \"^page\") < 80%").measured->value, 10);
  EXPECT_DOUBLE_EQ(judge("self(dso == \"libc.so.6\") < 80%").measured->value, 70);
  EXPECT_DOUBLE_EQ(judge("self(cpumode == kernel) < 80%").measured->value, 0);
}

TEST_F(FunctionMeasures, NeverIsAboutTheOrderInTheStack) {
  EXPECT_EQ(outcome("never \"page_fault\" under \"parse\""), Outcome::passed);
  EXPECT_EQ(outcome("never \"on_packet\" under \"page_fault\""), Outcome::passed);
  EXPECT_EQ(outcome("never \"abort\""), Outcome::passed);
  EXPECT_EQ(outcome("never \"parse\" under \"parse\""), Outcome::passed);
  EXPECT_EQ(outcome("never \"malloc\" under \"malloc\""), Outcome::failed);
  const AssertionResult result = judge("never \"page_fault\" under \"on_packet\"");
  EXPECT_EQ(result.outcome, Outcome::failed);
  EXPECT_THAT(result.explanation, HasSubstr("main;on_packet;page_fault"));
}

TEST_F(FunctionMeasures, SayThatNoSampleHasTheFunction) {
  EXPECT_EQ(judge("self(\"gone\") < 3%").explanation, "no sample has it");
  EXPECT_EQ(outcome("self(\"gone\") < 3%"), Outcome::passed);
}

TEST_F(FunctionMeasures, AreNotKnownWithoutSamplesAndWithoutCallers) {
  run_.counts.erase(run_.counts.begin(), run_.counts.end() - 1);  // main alone
  EXPECT_THAT(judge("total(\"malloc\") < 3%").explanation, HasSubstr("no callchain was recorded"));
  EXPECT_EQ(outcome("never \"malloc\""), Outcome::cannot_judge);
  EXPECT_EQ(outcome("self(\"malloc\") < 3%"), Outcome::passed);
  run_.counts.clear();
  EXPECT_EQ(outcome("self(\"malloc\") < 3%"), Outcome::cannot_judge);
}

TEST(BlockShares, AreWiderWhereSamplesComeInBursts) {
  std::vector<BlockShare> even, bursts;
  for (std::uint32_t i = 0; i < 64; ++i) {
    even.push_back({.run = 0, .some = 10, .all = 100});
    bursts.push_back({.run = 0, .some = i % 16 == 0 ? 100u : 4u, .all = 100});
  }
  const MeasuredValue steady = share_of_samples(even), bursty = share_of_samples(bursts);
  EXPECT_DOUBLE_EQ(steady.value->value, 10);
  EXPECT_DOUBLE_EQ(bursty.value->value, 10);
  // Wilson's interval of 640 of 6400.
  EXPECT_NEAR(steady.value->low, 9.289, 0.001);
  EXPECT_NEAR(steady.value->high, 10.759, 0.001);
  EXPECT_GT(bursty.value->high - bursty.value->low, 5 * (steady.value->high - steady.value->low));
}

TEST(BlockShares, WithoutSamplesAreNotKnown) { EXPECT_FALSE(share_of_samples({}).value); }

class QualityMeasures : public ::testing::Test {
 protected:
  QualityMeasures() {
    run_.name = "a.data";
    run_.counts = {{.stack = 1, .block = 0, .samples = 1000}};
    run_.throttled = 2;
    run_.quality.emplace();
    run_.quality->kernel_records = 990;
    run_.quality->lost_records = 10;
    run_.quality->sample_records = 1000;
    run_.quality->callchains = 1000;
    run_.quality->truncated_stacks = 30;
    run_.quality->frames = 4000;
    run_.quality->unresolved[{.binary = "[unknown]", .reason = symbolize::Missing::no_mapping}] = 400;
    run_.quality->incomplete[{.binary = "[unknown]", .reason = StackTail::no_rules}] = 50;
  }
  Outcome outcome(const std::string& text) const {
    const filter::Assertion assertion = filter::parse_budget({.origin = "b", .text = text}).assertions.front();
    return judge_assertion(assertion, "b", measure_quality(assertion, {run_}), nullptr).outcome;
  }
  analysis::Run run_;
};

TEST_F(QualityMeasures, PassAndFail) {
  EXPECT_EQ(outcome("lost < 1.1%"), Outcome::passed);
  EXPECT_EQ(outcome("lost < 1%"), Outcome::failed);
  EXPECT_EQ(outcome("truncated <= 3%"), Outcome::passed);
  EXPECT_EQ(outcome("truncated < 3%"), Outcome::failed);
  EXPECT_EQ(outcome("unresolved < 11%"), Outcome::passed);
  EXPECT_EQ(outcome("unresolved < 9%"), Outcome::failed);
  EXPECT_EQ(outcome("incomplete < 6%"), Outcome::passed);
  EXPECT_EQ(outcome("incomplete < 4%"), Outcome::failed);
  EXPECT_EQ(outcome("throttled <= 2"), Outcome::passed);
  EXPECT_EQ(outcome("throttled == 0"), Outcome::failed);
  EXPECT_EQ(outcome("samples >= 1000"), Outcome::passed);
  EXPECT_EQ(outcome("samples > 1000"), Outcome::failed);
}

TEST_F(QualityMeasures, AreNotKnownOfTextAndWithoutStacks) {
  run_.quality->callchains = 0;
  EXPECT_EQ(outcome("truncated < 3%"), Outcome::cannot_judge);
  EXPECT_EQ(outcome("incomplete < 3%"), Outcome::cannot_judge);
  run_.quality.reset();
  EXPECT_EQ(outcome("lost < 3%"), Outcome::cannot_judge);
  EXPECT_EQ(outcome("samples > 3"), Outcome::passed);
}

}  // namespace
}  // namespace perfsift::analysis
