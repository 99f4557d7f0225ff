// Many pairs of runs with a known difference. tests/bench/gate_simulation.sh has more pairs, of real recordings.

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "analysis/gate/judge.h"
#include "tests/support/gate_simulation.h"

namespace perfsift::analysis::gate_simulations {  // a unity build compiles other tests in the same file
namespace {

// A program of ten functions, with 10 % each on average. Half of them have phases in which they are three times as
// frequent.
class GateSimulation : public testing::Test {
 protected:
  GateSimulation() {
    const EventId event = profile_.event("cycles");
    StackList& list = profile_.new_list();
    const FrameId root = profile_.frames().intern("main", {.kind = FrameKind::user});
    for (char name = 'a'; name <= 'j'; ++name) {
      const FrameId leaf = profile_.frames().intern(std::string(1, name), {.kind = FrameKind::user});
      list.add(event, std::vector{root, leaf}, {.samples = 1, .value = 1});
    }
    stacks_ = std::make_unique<GateStacks>(profile_);
    for (int run = 0; run < 8; ++run) models_.push_back(model());
  }

  analysis::Run model() {
    analysis::Run run{.name = "model", .blocks = TimeBlocks::count};
    for (std::uint32_t stack = 0; stack < 10; ++stack) {
      for (std::uint32_t block = 0; block < run.blocks; ++block) {
        const bool phase = stack % 2 == 0 && block / 8 % 2 == stack / 2 % 2;
        const std::uint64_t samples = std::poisson_distribution<std::uint64_t>(phase ? 30 : 10)(random_);
        if (samples != 0) run.counts.push_back({.stack = stack + 1, .block = block, .samples = samples});
      }
    }
    return run;
  }

  // The number of pairs, among 100, in which the sides differ.
  int failures(int runs, double samples, double more) {
    int failed = 0;
    test::DrawnRuns draws(models_, *stacks_, samples, 7);
    for (int pair = 0; pair < 100; ++pair) {
      GateSide before, after;
      for (int run = 0; run < runs; ++run) {
        before.runs.push_back(draws.draw());
        after.runs.push_back(draws.draw(1, more));
      }
      Verdict verdict = judge(*stacks_, before, after, "cycles", {.min_effect = 0.002}, {});
      conclude(verdict);
      failed += int{verdict.outcome == Outcome::failed};
    }
    return failed;
  }

  // The results for one function in 50 histories of 20 runs. In each run the cost of the function is multiplied by a
  // factor, and for the candidate by another factor.
  struct Outcomes {
    int failed = 0, steps = 0, drifts = 0;
  };
  Outcomes histories(double growth, double step) {
    Outcomes outcomes;
    test::DrawnRuns draws(models_, *stacks_, 20'000, 11);
    for (int history = 0; history < 50; ++history) {
      GateSide before, after;
      for (std::size_t run = 0; run < 20; ++run) {
        before.runs.push_back(draws.draw(1, growth * static_cast<double>(run)));
        before.builds.push_back(run);
      }
      after.runs.push_back(draws.draw(1, growth * 20 + step));
      after.builds.push_back(0);
      Verdict verdict = judge(*stacks_, before, after, "cycles", {.min_effect = 0.002, .history = true}, {});
      conclude(verdict);
      outcomes.failed += int{verdict.outcome == Outcome::failed};
      const auto any = [&](FindingKind kind) {
        return std::ranges::any_of(verdict.findings, [&](const Finding& finding) {
          return finding.kind == kind && finding.function.name == name_of_slower();
        });
      };
      outcomes.steps += int{any(FindingKind::dearer)};
      outcomes.drifts += int{any(FindingKind::drifting)};
    }
    return outcomes;
  }
  std::string name_of_slower() const { return std::string(stacks_->functions()[1].name); }

  Profile profile_;
  std::unique_ptr<GateStacks> stacks_;
  std::mt19937_64 random_{3};
  std::vector<analysis::Run> models_;
};

// The level is 5 %. More than 10 failures of 100 have a probability of 1 %.
TEST_F(GateSimulation, EqualRunsPass) {
  EXPECT_LE(failures(1, 20'000, 0), 10);
  EXPECT_LE(failures(3, 7'000, 0), 10);
}

// Function 1 has a fifteenth of the samples, so 30 % more work is 2 % of total cost.
TEST_F(GateSimulation, SlowerRunsFail) {
  EXPECT_GE(failures(1, 80'000, 0.3), 95);
  EXPECT_GE(failures(3, 20'000, 0.3), 95);
}

// 5 % of 50 are 3. More than 7 have a probability of 1 %.
TEST_F(GateSimulation, FlatHistoriesPass) { EXPECT_LE(histories(0, 0).failed, 7); }

TEST_F(GateSimulation, AStepIsNoDrift) {
  const Outcomes outcomes = histories(0, 0.5);
  EXPECT_GE(outcomes.steps, 48);
  EXPECT_LE(outcomes.drifts, 3);
}

// Each run has 2 % more work: 0.13 % of total cost, which no single run shows.
TEST_F(GateSimulation, ADriftIsNoStep) {
  const Outcomes outcomes = histories(0.02, 0);
  EXPECT_GE(outcomes.drifts, 48);
  EXPECT_LE(outcomes.steps, 7);
}

TEST_F(GateSimulation, ADriftAndAStepAreTwoFindings) {
  const Outcomes outcomes = histories(0.02, 0.5);
  EXPECT_GE(outcomes.drifts, 45);
  EXPECT_GE(outcomes.steps, 45);
}

}  // namespace
}  // namespace perfsift::analysis::gate_simulations
