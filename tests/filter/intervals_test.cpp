// The fields and words of expressions about intervals.
#include <string>

#include <gmock/gmock.h>

#include "base/error.h"
#include "filter/wait_kind.h"
#include "tests/dlfilters/told_sample.h"

namespace perfsift::filter {
namespace {

using ::testing::HasSubstr;

constexpr Subject interval = Subject::interval;

Filter parse(std::string_view expression) {
  return Filter::parse({{.origin = "--filter", .text = std::string(expression)}}, interval);
}

bool keeps_interval(std::string_view expression, ToldFacts facts, RecordingTimes times = {}) {
  const Filter filter = parse(expression);
  FilterState state(filter, times);
  return filter.keeps(facts, state);
}

std::string interval_error(std::string_view expression) {
  try {
    parse(expression);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(IntervalExpression, ComparesTheLengthsOfItsParts) {
  const ToldFacts facts = ToldFacts()
                              .with(Fact::off_cpu, 60'000)
                              .with(Fact::blocked, 51'000)
                              .with(Fact::run_queue, 9'000)
                              .with(Fact::unknown, 0);
  EXPECT_TRUE(keeps_interval("blocked > 50us && offcpu == 60us && runqueue in 1us..9us && unknown == 0", facts));
  EXPECT_FALSE(keeps_interval("blocked > 51us", facts));
  EXPECT_TRUE(keeps_interval("runqueue < blocked", facts));
}

TEST(IntervalExpression, NamesWhoWokeAndWhoRanInstead) {
  const ToldFacts facts = ToldFacts()
                              .with(Fact::comm, "server")
                              .with(Fact::waker_comm, "compactor")
                              .with(Fact::waker_tid, 15)
                              .with(Fact::next_comm, "server")
                              .with(Fact::state, "S");
  EXPECT_TRUE(keeps_interval("waker_comm == \"comp*\" && waker_tid in {14, 15} && next_comm == comm", facts));
  EXPECT_TRUE(keeps_interval("state in {\"S\", \"D\"} && !has next_tid", facts));
  EXPECT_FALSE(keeps_interval("state == \"\\?\"", facts)) << "the letter, and not a glob";
}

TEST(IntervalExpression, AsksTheStackThatWasLeftOn) {
  const ToldFacts facts = ToldFacts().with_frames(
      {ToldFacts().with(Fact::sym, "schedule"), ToldFacts().with(Fact::sym, "lock").with(Fact::dso, "/lib/libc.so.6"),
       ToldFacts().with(Fact::sym, "main")});
  EXPECT_TRUE(
      keeps_interval("stack has \"lock\" && leaf == \"schedule\" && caller == \"lock\" && root == \"main\"", facts));
  EXPECT_TRUE(keeps_interval("stack has (sym == \"lock\" && dso == \"libc.so.6\") && depth == 3", facts));
  EXPECT_FALSE(keeps_interval("stack has (sym == \"main\" && dso == \"libc.so.6\")", facts));
}

TEST(IntervalExpression, AsksTheStackOfWhoWokeIt) {
  const ToldFacts facts = ToldFacts()
                              .with_frames({ToldFacts().with(Fact::sym, "lock")})
                              .with_waker_frames({ToldFacts().with(Fact::sym, "unlock"),
                                                  ToldFacts().with(Fact::sym, "malloc").with(Fact::dso, "libc.so.6")});
  EXPECT_TRUE(keeps_interval("waker has \"malloc\" && stack has \"lock\"", facts));
  EXPECT_TRUE(keeps_interval("waker has (sym =~ \"^mal\" && dso == \"libc.so.6\")", facts));
  EXPECT_FALSE(keeps_interval("waker has \"lock\" || stack has \"malloc\"", facts));
  EXPECT_FALSE(keeps_interval("waker has \"malloc\"", ToldFacts())) << "there was no wakeup";
  EXPECT_THAT(interval_error("waker is truncated"), HasSubstr("expected has: waker has \"malloc\""));
  EXPECT_THROW(Filter::parse("waker has \"malloc\""), UsageError) << "of a sample";
}

TEST(IntervalExpression, KnowsTheWaysOfWaiting) {
  const ToldFacts facts = ToldFacts().with(Fact::wait, wait_lock | wait_futex);
  EXPECT_TRUE(keeps_interval("wait == lock && wait == futex && wait in {io, lock} && has wait", facts));
  EXPECT_FALSE(keeps_interval("wait == io || wait != lock", facts));
  EXPECT_FALSE(keeps_interval("wait != lock", ToldFacts())) << "nothing is known";
  EXPECT_THAT(interval_error("wait == mutex"), HasSubstr("'mutex': wait is one of preempted, yield, new, lock, "));
  EXPECT_THAT(interval_error("wait > lock"), HasSubstr("wait has no order"));
  EXPECT_THAT(interval_error("stack has (wait == lock)"), HasSubstr("about a whole stack"));
  EXPECT_THROW(Filter::parse("wait == lock").check(NoTracepoints()), UsageError) << "of a sample";
}

TEST(IntervalExpression, HasABeginningAndAnEnd) {
  const ToldFacts facts = ToldFacts().with(Fact::time, 150).with(Fact::end, 250).with(Fact::whole, 1);
  EXPECT_TRUE(keeps_interval("start == 150ns && time == start && end <= 250ns && whole", facts));
  EXPECT_TRUE(keeps_interval("start < 20%", facts, {.first = 100, .last = 600}));
  EXPECT_FALSE(keeps_interval("start >= 20%", facts, {.first = 100, .last = 600}));
  EXPECT_FALSE(keeps_interval("whole", ToldFacts().with(Fact::whole, 0)));
}

TEST(IntervalExpression, NamesWhatAnIntervalDoesNotHave) {
  EXPECT_THAT(interval_error("period > 3"), HasSubstr("'period': samples have such a field, and intervals do not"));
  EXPECT_THAT(interval_error("blokced > 3us"), HasSubstr("'blokced': there is no such field; did you mean blocked?"));
  EXPECT_THAT(interval_error("prev_pid == 3"), HasSubstr("'prev_pid': there is no such field\n"))
      << "no tracepoint's either";
  EXPECT_THAT(interval_error("sym == \"a\""),
              HasSubstr("'sym': an interval has a stack, whose frames have it: stack has (sym"));
  EXPECT_THAT(interval_error("within 5ms of (blocked > 3us)"), HasSubstr("windows are of samples"));
  EXPECT_THAT(interval_error("state == S"), HasSubstr("text is written in quotes: \"S\""));
  EXPECT_THAT(interval_error("offcpu > 10%"), HasSubstr("offcpu is a plain number"));
}

TEST(IntervalExpression, IsToldApartFromOneOfSamples) {
  try {
    Filter::parse("blocked > 50us", "--filter").check(NoTracepoints());
    FAIL() << "samples have no such field";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("'blocked': samples have no such field, but the intervals of perfsift offcpu do"));
  }
  EXPECT_EQ(find_field("blocked"), nullptr);
  ASSERT_NE(find_field("blocked", interval), nullptr);
  EXPECT_EQ(find_field("period", interval), nullptr);
}

}  // namespace
}  // namespace perfsift::filter
