// Verdicts on sides with known numbers: a real change, an apparent change, and data that cannot be judged.

#include "analysis/gate/judge.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "tests/analysis/gate/gate_sides.h"

namespace perfsift::analysis::gate_verdicts {  // a unity build compiles other tests in the same file
namespace {

using gate_test::Sides;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

// Ten functions of equal cost.
std::map<std::string, std::uint64_t> even_program(std::uint64_t samples) {
  std::map<std::string, std::uint64_t> program;
  for (char function = 'a'; function <= 'j'; ++function) program[std::string("main;") + function] = samples;
  return program;
}

std::vector<std::string> names(const Verdict& verdict, FindingKind kind) {
  std::vector<std::string> names;
  for (const Finding& finding : verdict.findings) {
    if (finding.kind == kind) names.push_back(finding.function.name);
  }
  return names;
}

std::vector<std::string> keys(const Verdict& verdict) {
  std::vector<std::string> keys;
  for (const Reason& reason : verdict.reasons) keys.push_back(reason.key);
  return keys;
}

TEST(Judge, EqualSidesPass) {
  Sides sides;
  sides.add_even(sides.before, even_program(100));
  sides.add_even(sides.after, even_program(100));
  const Verdict verdict = sides.judge();
  EXPECT_EQ(verdict.outcome, Outcome::passed);
  EXPECT_THAT(verdict.findings, IsEmpty());
  EXPECT_THAT(verdict.reasons, IsEmpty());
  EXPECT_EQ(verdict.tests, 10u);  // main is in all stacks
  EXPECT_EQ(verdict.spread, Spread::time_blocks);
  EXPECT_EQ(verdict.before.samples, 64'000u);
}

// A tenth of the cost becomes half as expensive again, which is 5 % of total cost, in one function.
TEST(Judge, ADearerFunctionFails) {
  Sides sides;
  auto slower = even_program(100);
  slower["main;c"] = 150;
  sides.add_even(sides.before, even_program(100));
  sides.add_even(sides.after, slower);
  const Verdict verdict = sides.judge();
  EXPECT_EQ(verdict.outcome, Outcome::failed);
  ASSERT_EQ(verdict.findings.size(), 1u);
  const Finding& finding = verdict.findings.front();
  EXPECT_EQ(finding.kind, FindingKind::dearer);
  EXPECT_EQ(finding.function, (FunctionName{"c", "app"}));
  EXPECT_NEAR(finding.effect.value, 0.05, 1e-9);
  EXPECT_NEAR(finding.ratio->value, 1.5, 1e-9);
  EXPECT_LT(finding.effect.low, 0.05);
  EXPECT_GT(finding.effect.low, 0.04);
  EXPECT_LT(finding.adjusted_p, 1e-6);
  ASSERT_EQ(finding.stacks.size(), 1u);
  EXPECT_THAT(finding.stacks[0].frames, ElementsAre("main", "c"));
  EXPECT_NEAR(verdict.total_ratio->value, 1.05, 1e-9);
}

// The trap of shares: without c, every other function has 5 % more of the remaining cost.
TEST(Judge, ACheaperFunctionMakesNoOtherDearer) {
  Sides sides;
  auto faster = even_program(100);
  faster["main;c"] = 50;
  sides.add_even(sides.before, even_program(100));
  sides.add_even(sides.after, faster);
  const Verdict verdict = sides.judge();
  EXPECT_EQ(verdict.outcome, Outcome::passed);
  EXPECT_THAT(names(verdict, FindingKind::cheaper), ElementsAre("c"));
  EXPECT_EQ(verdict.findings.size(), 1u);
  EXPECT_EQ(verdict.normalised_by, NormalisedBy::unchanged);
  EXPECT_NEAR(verdict.findings[0].effect.value, -0.05, 1e-9);
}

// Callers of c change with c, and the finding names them with c.
TEST(Judge, CallersAreNoRootCauses) {
  Sides sides;
  auto program = even_program(100);
  program["main;outer;inner;k"] = 100;
  program["main;outer;l"] = 100;
  sides.add_even(sides.before, program);
  program["main;outer;inner;k"] = 200;
  sides.add_even(sides.after, program);
  const Verdict verdict = sides.judge();
  ASSERT_THAT(names(verdict, FindingKind::dearer), ElementsAre("k"));
  EXPECT_EQ(verdict.findings.size(), 1u);
  EXPECT_THAT(verdict.findings[0].callers, ElementsAre(FunctionName{"inner", "app"}, FunctionName{"outer", "app"}));
}

// Each callee alone is below the minimum effect, but together they are above.
TEST(Judge, ACallerOfManySmallChangesIsTheRootCause) {
  Sides sides;
  auto program = even_program(1000);
  for (int i = 0; i < 8; ++i) program["main;outer;callee" + std::to_string(i)] = 100;
  sides.add_even(sides.before, program);
  for (int i = 0; i < 8; ++i) program["main;outer;callee" + std::to_string(i)] = 140;
  sides.add_even(sides.after, program);
  const Verdict verdict = sides.judge();
  ASSERT_THAT(names(verdict, FindingKind::dearer), ElementsAre("outer"));
  EXPECT_EQ(verdict.findings[0].part, Part::total);
}

TEST(Judge, RecursionCountsAStackOnce) {
  Sides sides;
  auto program = even_program(100);
  program["main;r;r;r;leaf"] = 100;
  sides.add_even(sides.before, program);
  program["main;r;r;r;leaf"] = 200;
  sides.add_even(sides.after, program);
  const Verdict verdict = sides.judge();
  ASSERT_THAT(names(verdict, FindingKind::dearer), ElementsAre("leaf"));
  EXPECT_THAT(verdict.findings[0].callers, ElementsAre(FunctionName{"r", "app"}));
}

TEST(Judge, BelowTheMinimumEffectIsNoChange) {
  Sides sides;
  auto slower = even_program(10'000);
  slower["main;c"] = 10'500;
  sides.add_even(sides.before, even_program(10'000));
  sides.add_even(sides.after, slower);
  EXPECT_EQ(sides.judge().outcome, Outcome::passed);
  EXPECT_EQ(sides.judge({.min_effect = 0.004}).outcome, Outcome::failed);
  EXPECT_EQ(sides.judge({.min_effect = 0.004, .min_ratio = 0.1}).outcome, Outcome::passed);
}

TEST(Judge, FewSamplesAreUndecided) {
  Sides sides;
  sides.add_even(sides.before, even_program(1));
  sides.add_even(sides.after, even_program(1));
  Verdict verdict = sides.judge();
  EXPECT_EQ(verdict.outcome, Outcome::passed);
  ASSERT_EQ(names(verdict, FindingKind::undecided).size(), 10u);
  // A share of 10 % of 640 samples has a standard deviation of 1.19 points, the difference of two 1.68: (1.998 + 0.842)
  // deviations are 1 point with 22.7 times as many samples.
  EXPECT_NEAR(static_cast<double>(verdict.findings[0].needed->samples), 22.7 * 640, 100);
  EXPECT_EQ(sides.judge({.undecided_fails = true}).outcome, Outcome::failed);
}

TEST(Judge, ANewFunctionFails) {
  Sides sides;
  auto program = even_program(100);
  sides.add_even(sides.before, program);
  program["main;fresh;work"] = 100;
  sides.add_even(sides.after, program);
  const Verdict verdict = sides.judge();
  EXPECT_EQ(verdict.outcome, Outcome::failed);
  ASSERT_THAT(names(verdict, FindingKind::added), ElementsAre("work"));
  EXPECT_FALSE(verdict.findings[0].ratio);
}

// Changes of names by another build, and how functions are matched.
struct Renaming {
  const char *before, *after;
  MatchedBy by;
};
class JudgeNames : public testing::TestWithParam<Renaming> {};

TEST_P(JudgeNames, TheSameFunctionUnderAnotherNameIsMatched) {
  Sides sides;
  auto before = even_program(100), after = before;
  before[std::string("main;") + GetParam().before] = 100;
  after[std::string("main;") + GetParam().after] = 100;
  sides.add_even(sides.before, before);
  sides.add_even(sides.after, after);
  const Verdict verdict = sides.judge({.exact_names = true});
  EXPECT_EQ(verdict.outcome, Outcome::passed);
  ASSERT_EQ(verdict.findings.size(), 1u);
  EXPECT_EQ(verdict.findings[0].kind, FindingKind::renamed);
  ASSERT_TRUE(verdict.findings[0].match);
  EXPECT_EQ(verdict.findings[0].match->by, GetParam().by);
}

INSTANTIATE_TEST_SUITE_P(Kinds, JudgeNames,
                         testing::Values(Renaming{"work", "work.constprop.0", MatchedBy::name},
                                         Renaming{"ns::sort<int>(int*)", "ns::sort<long>(long*, bool)",
                                                  MatchedBy::name},
                                         Renaming{"work@libx.so.1.1", "work@libx.so.3", MatchedBy::binary},
                                         Renaming{"work@app-1.0", "work@other", MatchedBy::binary},
                                         Renaming{"work", "labour", MatchedBy::calls}));

// Names with numbers from the compiler or the JVM are one name. GCC 12 -O2 -flto and OpenJDK 17 made these names.
TEST(Judge, NamesThatABuildOrARunMadeUpAreOne) {
  Sides sides;
  auto before = even_program(100), after = before;
  before["main;work"] = 60;
  before["main;work.cold"] = 40;
  before["main;parse.constprop.0.isra.0"] = 100;
  before["main;Main$$Lambda$14/0x0000000800c03000.run"] = 100;
  after["main;work.isra.0"] = 80;
  after["main;work.lto_priv.3"] = 20;
  after["main;parse.part.1"] = 100;
  after["main;Main$$Lambda$41/0x00007f12a4c21430.run"] = 100;
  sides.add_even(sides.before, before);
  sides.add_even(sides.after, after);
  const Verdict verdict = sides.judge();
  EXPECT_EQ(verdict.outcome, Outcome::passed);
  EXPECT_TRUE(verdict.findings.empty());
  EXPECT_FALSE(sides.judge({.exact_names = true}).findings.empty());
}

TEST(Judge, AFindingHasTheNameWithoutWhatTheBuildMadeUp) {
  Sides sides;
  auto before = even_program(100), after = before;
  before["main;work"] = 100;
  after["main;work.isra.0"] = 200;
  sides.add_even(sides.before, before);
  sides.add_even(sides.after, after);
  const Verdict verdict = sides.judge();
  EXPECT_EQ(verdict.outcome, Outcome::failed);
  ASSERT_THAT(names(verdict, FindingKind::dearer), ElementsAre("work"));
  EXPECT_FALSE(verdict.findings[0].match);
}

// The whole program has another file name, and one of its functions also has another name.
TEST(Judge, ARenamedFunctionOfARenamedBinaryIsMatched) {
  Sides sides;
  Sides::Samples before, after;
  for (const auto& [stack, samples] : even_program(100)) {
    std::string was, is;
    for (std::size_t at = 0; at <= stack.size();) {
      const std::size_t end = std::min(stack.find(';', at), stack.size());
      was += (was.empty() ? "" : ";") + stack.substr(at, end - at) + "@server-old";
      is += (is.empty() ? "" : ";") + stack.substr(at, end - at) + "@new-server";
      at = end + 1;
    }
    before[was] = after[is] = samples;
  }
  before["main@server-old;work@server-old"] = 100;
  after["main@new-server;labour@new-server"] = 100;
  sides.add_even(sides.before, before);
  sides.add_even(sides.after, after);
  const Verdict verdict = sides.judge();
  EXPECT_EQ(verdict.outcome, Outcome::passed);
  ASSERT_THAT(names(verdict, FindingKind::added), IsEmpty());
  ASSERT_THAT(names(verdict, FindingKind::renamed), Contains("labour"));
}

// A matched function can still fail: it has another name, and costs more.
TEST(Judge, ARenamedFunctionMayFail) {
  Sides sides;
  auto before = even_program(100), after = before;
  before["main;work"] = 100;
  after["main;work.isra.0"] = 200;
  sides.add_even(sides.before, before);
  sides.add_even(sides.after, after);
  const Verdict verdict = sides.judge({.exact_names = true});
  EXPECT_EQ(verdict.outcome, Outcome::failed);
  ASSERT_THAT(names(verdict, FindingKind::dearer), ElementsAre("work.isra.0"));
  EXPECT_EQ(verdict.findings[0].match->before.name, "work");
}

// u and v change places below x and y. No function costs more or less, but four stacks do.
TEST(Judge, ACostThatShiftsBetweenCallersIsShownAndPasses) {
  Sides sides;
  auto before = even_program(100), after = before;
  before["main;x;u"] = before["main;y;v"] = 60;
  before["main;x;v"] = before["main;y;u"] = 120;
  after["main;x;u"] = after["main;y;v"] = 120;
  after["main;x;v"] = after["main;y;u"] = 60;
  sides.add_even(sides.before, before);
  sides.add_even(sides.after, after);
  const Verdict verdict = sides.judge();
  EXPECT_EQ(verdict.outcome, Outcome::passed);
  ASSERT_EQ(verdict.findings.size(), 2u);
  EXPECT_THAT(names(verdict, FindingKind::shifted), ElementsAre("u", "v"));
  const Finding& shifted = verdict.findings.front();
  EXPECT_EQ(shifted.before.samples, 180u * TimeBlocks::count);
  EXPECT_NEAR(shifted.effect.value, 60.0 / 1360, 1e-9);
  EXPECT_LT(shifted.adjusted_p, 1e-6);
  ASSERT_EQ(shifted.stacks.size(), 2u);
  EXPECT_THAT(shifted.stacks[0].frames, ElementsAre("x", "u"));
  EXPECT_EQ(shifted.stacks[0].before.samples, 60u * TimeBlocks::count);
  EXPECT_EQ(shifted.stacks[0].after.samples, 120u * TimeBlocks::count);
  EXPECT_THAT(shifted.stacks[1].frames, ElementsAre("y", "u"));
}

// A stack that calls the pair twice counts its samples once, and a function that costs more is not a shift.
TEST(Judge, RecursionAndDearerFunctionsAreNoShifts) {
  Sides sides;
  auto before = even_program(100), after = before;
  before["main;x;f;x;f"] = after["main;x;f;x;f"] = 100;
  before["main;y;f"] = after["main;y;f"] = 100;
  before["main;x;d"] = before["main;y;d"] = 50;
  after["main;x;d"] = 150;
  after["main;y;d"] = 20;
  sides.add_even(sides.before, before);
  sides.add_even(sides.after, after);
  const Verdict verdict = sides.judge();
  EXPECT_EQ(verdict.outcome, Outcome::failed);
  EXPECT_THAT(names(verdict, FindingKind::dearer), testing::Contains("d"));
  EXPECT_THAT(names(verdict, FindingKind::shifted), IsEmpty());
}

// Repeats in which a caller's share of a function varies by chance.
TEST(Judge, NoiseIsNoShift) {
  Sides sides;
  for (std::uint64_t run = 0; run < 6; ++run) {
    auto program = even_program(100);
    program["main;x;f"] = 40 + run * 37 % 50;
    program["main;y;f"] = 130 - program["main;x;f"];
    sides.add_even(run % 2 == 0 ? sides.before : sides.after, program);
  }
  EXPECT_THAT(names(sides.judge(), FindingKind::shifted), IsEmpty());
}

TEST(Judge, AnInlinedFunctionIsPartOfItsCaller) {
  for (const bool inlined_after : {true, false}) {
    Sides sides;
    auto apart = even_program(100), joined = apart;
    apart["main;outer"] = 50;
    apart["main;outer;helper"] = 60;
    joined["main;outer"] = 110;
    sides.add_even(sides.before, inlined_after ? apart : joined);
    sides.add_even(sides.after, inlined_after ? joined : apart);
    const Verdict verdict = sides.judge();
    EXPECT_EQ(verdict.outcome, Outcome::passed);
    ASSERT_THAT(names(verdict, FindingKind::inlined), ElementsAre("outer"));
    EXPECT_THAT(verdict.findings[0].absorbed, ElementsAre(FunctionName{"helper", "app"}));
  }
}

// The whole program runs at half the speed: the shares are equal, and each run has twice the samples.
TEST(Judge, OnlyRunsTellThatEverythingBecameSlower) {
  Sides sides;
  for (int run = 0; run < 3; ++run) {
    sides.add_even(sides.before, even_program(100 + static_cast<std::uint64_t>(run)));
    sides.add_even(sides.after, even_program(200 + static_cast<std::uint64_t>(run)));
  }
  EXPECT_EQ(sides.judge().outcome, Outcome::passed);
  const Verdict verdict = sides.judge({.per_run = true});
  EXPECT_EQ(verdict.outcome, Outcome::failed);
  EXPECT_EQ(verdict.normalised_by, NormalisedBy::runs);
  EXPECT_EQ(names(verdict, FindingKind::dearer).size(), 10u);
}

// If repeats differ more than by chance, they hide a change that a single run would show.
TEST(Judge, NoiseBetweenRepeatsCounts) {
  Sides sides;
  for (const std::uint64_t noisy : {60u, 140u, 80u, 120u}) {
    auto program = even_program(100);
    program["main;c"] = noisy;
    sides.add_even(sides.before, program);
    program["main;c"] = noisy + 15;
    sides.add_even(sides.after, program);
  }
  const Verdict verdict = sides.judge();
  EXPECT_EQ(verdict.spread, Spread::repeats);
  EXPECT_THAT(names(verdict, FindingKind::dearer), IsEmpty());
  EXPECT_THAT(names(verdict, FindingKind::undecided), ElementsAre("c"));
}

class JudgeQuality : public testing::Test {
 protected:
  JudgeQuality() {
    sides_.add_even(sides_.before, even_program(100));
    sides_.add_even(sides_.after, even_program(100));
    for (GateSide* side : {&sides_.before, &sides_.after}) {
      side->runs[0].quality = Quality();
      side->runs[0].environment = Environment{.hostname = "h",
                                              .kernel = "6.1",
                                              .machine = "x86_64",
                                              .cpu = "A",
                                              .cpus = 4,
                                              .events = {{.name = "cycles", .every = 99, .is_frequency = true}},
                                              .command = "perf"};
    }
  }

  // A verdict with this reason is not a pass, is tolerated only by its own word, and names the reason.
  void expect_reason(const std::string& key) {
    const Verdict verdict = sides_.judge();
    EXPECT_EQ(verdict.outcome, Outcome::cannot_judge);
    EXPECT_THAT(keys(verdict), ElementsAre(key));
    EXPECT_EQ(sides_.judge({}, {key == "host" ? "kernel" : "host"}).outcome, Outcome::cannot_judge);
    const Verdict tolerated = sides_.judge({}, {key});
    EXPECT_EQ(tolerated.outcome, Outcome::passed);
    EXPECT_THAT(keys(tolerated), ElementsAre(key));
  }

  analysis::Run& run() { return sides_.after.runs[0]; }

  Sides sides_;
};

TEST_F(JudgeQuality, GoodDataPass) { EXPECT_EQ(sides_.judge().outcome, Outcome::passed); }

TEST_F(JudgeQuality, LostSamples) {
  run().quality->sample_records = 900, run().quality->lost_samples = 100;
  expect_reason("lost");
}

TEST_F(JudgeQuality, AllSamplesLost) {
  run().quality->lost_samples = 1000;
  run().counts.clear();
  const Verdict verdict = sides_.judge({}, {"lost"});
  EXPECT_EQ(verdict.outcome, Outcome::cannot_judge);
  EXPECT_THAT(keys(verdict), testing::IsSupersetOf({"samples", "lost"}));
}

// The same program, compiled with and without frame pointers.
TEST_F(JudgeQuality, OtherOptionsOfTheCompiler) {
  run().quality->callchains = 100;
  run().quality->incomplete[{.binary = "/new/app", .reason = StackTail::frame_pointer_missing}] = 11;
  expect_reason("build");
  sides_.before.runs[0].quality->callchains = 100;
  sides_.before.runs[0].quality->incomplete[{.binary = "/old/app", .reason = StackTail::frame_pointer_missing}] = 5;
  EXPECT_EQ(sides_.judge().outcome, Outcome::passed);
}

// Each binary was compiled with the options of a binary on the other side, or is not known there.
TEST_F(JudgeQuality, OtherOptionsInDebugInformation) {
  CompiledBinaries& before = sides_.before.runs[0].environment->compiled;
  CompiledBinaries& after = run().environment->compiled;
  before = {{"app", "GNU 12.2.0 -O2 -fPIC"}, {"old.so", "GNU 11 -O0"}};
  after = {{"app", "GNU 12.2.0 -O2 -fPIC"}, {"new.so", "GNU 12.2.0 -O1"}};
  EXPECT_EQ(sides_.judge().outcome, Outcome::passed);
  after["app"] = "GNU 12.2.0 -O0 -fPIC";
  expect_reason("build");
  EXPECT_EQ(sides_.judge().reasons[0].text, "app was compiled with -O2 in the baseline, with -O0 in the candidate");
  after["app"] = "GNU 12.2.0 -O2 -fPIC -flto";
  EXPECT_EQ(sides_.judge().reasons[0].text, "app was compiled with -flto in the candidate only");
  after["app"] = "GNU 13.1.0 -O2 -fPIC";
  EXPECT_EQ(sides_.judge().reasons[0].text,
            "app was compiled with GNU 12.2.0 in the baseline, with GNU 13.1.0 in the candidate");
}

// The first build after a change of the compiler is accepted once, and not again.
TEST_F(JudgeQuality, OptionsOfAnyRunOfTheBaselineAreKnown) {
  sides_.add_even(sides_.before, even_program(100));
  sides_.before.runs[1].environment = sides_.before.runs[0].environment;
  sides_.before.runs[0].environment->compiled["app"] = "GNU 12.2.0 -O2";
  sides_.before.runs[1].environment->compiled["app"] = "GNU 12.2.0 -O3";
  run().environment->compiled["app"] = "GNU 12.2.0 -O3";
  EXPECT_EQ(sides_.judge().outcome, Outcome::passed);
}

TEST_F(JudgeQuality, CutStacks) {
  run().quality->callchains = 100, run().quality->truncated_stacks = 6;
  expect_reason("cut");
}

TEST_F(JudgeQuality, FramesWithoutNames) {
  run().quality->frames = 100;
  run().quality->unresolved[{.binary = "x", .reason = symbolize::Missing::none}] = 21;
  expect_reason("unnamed");
}

TEST_F(JudgeQuality, Throttling) {
  run().throttled = 641;
  expect_reason("throttled");
}

TEST_F(JudgeQuality, Damage) {
  run().damaged = true;
  expect_reason("damaged");
}

TEST_F(JudgeQuality, AnotherHost) {
  run().environment->hostname = "other";
  expect_reason("host");
}

TEST_F(JudgeQuality, AnotherKernel) {
  run().environment->kernel = "6.2";
  expect_reason("kernel");
}

TEST_F(JudgeQuality, AnotherMachine) {
  run().environment->machine = "aarch64";
  expect_reason("machine");
}

TEST_F(JudgeQuality, AnotherNumberOfCpus) {
  run().environment->cpus = 8;
  expect_reason("cpu");
}

TEST_F(JudgeQuality, AnotherFrequency) {
  run().environment->events[0].every = 999;
  expect_reason("frequency");
}

TEST_F(JudgeQuality, StacksOfAnotherKind) {
  sides_.before.runs[0].environment->events[0].stacks = "dwarf,8192";
  for (const char* other : {"none", "fp", "lbr", "dwarf,16384"}) {
    run().environment->events[0].stacks = other;
    expect_reason("stacks");
  }
  EXPECT_EQ(sides_.judge().reasons[0].text,
            "the runs have different ways of recording stacks (--call-graph): dwarf,8192, dwarf,16384");
  run().environment->events[0].stacks = "dwarf,8192";
  EXPECT_EQ(sides_.judge().outcome, Outcome::passed);
}

TEST_F(JudgeQuality, WhatIsNotKnownIsNotCompared) {
  run().environment.reset();
  run().quality.reset();
  EXPECT_EQ(sides_.judge().outcome, Outcome::passed);
}

TEST_F(JudgeQuality, NoSamplesCannotBeTolerated) {
  run().counts.clear();
  const Verdict verdict = sides_.judge({}, {"samples", "lost", "spread"});
  EXPECT_EQ(verdict.outcome, Outcome::cannot_judge);
  EXPECT_THAT(keys(verdict), ElementsAre("samples"));
}

TEST(Judge, WithoutRepeatsAndTimesThereIsNoSpread) {
  Sides sides;
  Sides::Blocks blocks;
  for (const auto& [text, samples] : even_program(1000)) blocks[text] = {samples};
  sides.add(sides.before, blocks);
  sides.add(sides.after, blocks);
  EXPECT_EQ(sides.judge().outcome, Outcome::cannot_judge);
  EXPECT_THAT(keys(sides.judge()), ElementsAre("spread"));
  EXPECT_EQ(sides.judge({}, {"spread"}).outcome, Outcome::passed);
  EXPECT_THAT(keys(sides.judge({.per_run = true}, {"spread"})), ElementsAre("repeats"));
}

// A comparison that could find nothing is not a pass.
TEST(Judge, TooFewSamplesForAnyTestCannotBeJudged) {
  Sides sides;
  Sides::Blocks before, after;
  before["main;f"].assign(TimeBlocks::count, 0);
  before["main;g"] = after["main;f"] = after["main;g"] = before["main;f"];
  before["main;f"][3] = 2, before["main;g"][60] = 1, after["main;f"][7] = 3, after["main;g"][9] = 2;
  sides.add(sides.before, before);
  sides.add(sides.after, after);
  const Verdict verdict = sides.judge();
  EXPECT_EQ(verdict.outcome, Outcome::cannot_judge);
  ASSERT_THAT(keys(verdict), ElementsAre("few"));
  EXPECT_EQ(verdict.reasons[0].text,
            "no function could be tested: none has 20 samples on both sides together, the most frequent one 5");
  EXPECT_THAT(verdict.reasons[0].advice, testing::HasSubstr("about 12 samples before and 20 after"));
  EXPECT_EQ(sides.judge({}, {"few"}).outcome, Outcome::passed);
  EXPECT_THAT(keys(sides.judge({.min_samples = 5})), IsEmpty());
}

TEST(Judge, HigherMinimumsThanAllSamplesCannotBeJudged) {
  Sides sides;
  sides.add_even(sides.before, even_program(100));
  sides.add_even(sides.after, even_program(100));
  EXPECT_THAT(keys(sides.judge({.min_samples = 100'000})), ElementsAre("few"));
}

TEST(Judge, OneFunctionHasNoShareThatChanges) {
  Sides sides;
  for (int run = 0; run < 2; ++run) {
    sides.add_even(sides.before, {{"main", 100 + run}});
    sides.add_even(sides.after, {{"main", 200 + run}});
  }
  const Verdict verdict = sides.judge();
  EXPECT_EQ(verdict.outcome, Outcome::cannot_judge);
  EXPECT_THAT(keys(verdict), ElementsAre("few"));
  EXPECT_EQ(sides.judge({.per_run = true}).outcome, Outcome::failed);
}

// Each of a thousand functions has a tenth of a percent of many samples. None changed by the minimum effect of 1 %.
TEST(Judge, FunctionsBelowTheMinimumEffectPassUntested) {
  Sides sides;
  std::map<std::string, std::uint64_t> program;
  for (int function = 0; function < 1000; ++function) program["f" + std::to_string(function)] = 10;
  sides.add_even(sides.before, program);
  sides.add_even(sides.after, program);
  const Verdict verdict = sides.judge();
  EXPECT_EQ(verdict.tests, 0u);
  EXPECT_EQ(verdict.outcome, Outcome::passed);
}

}  // namespace
}  // namespace perfsift::analysis::gate_verdicts
