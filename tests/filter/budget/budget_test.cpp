// The language of budgets: every form, and the messages for wrong lines.
#include "filter/budget/budget.h"

#include <string>

#include <gmock/gmock.h>

#include "base/error.h"
#include "filter/budget/wording.h"

namespace perfsift::filter {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

Budget budget_of(const std::string& text) { return parse_budget({.origin = "budget.txt", .text = text}); }

Assertion assertion_of(const std::string& text) {
  Budget parsed = budget_of(text);
  EXPECT_EQ(parsed.assertions.size(), 1u);
  return parsed.assertions.front();
}

std::string mistakes_in(const std::string& text) {
  try {
    budget_of(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Budget, HasAnAssertionOnEachLine) {
  const Budget parsed = budget_of("# of allocations\n\n  total(\"malloc\") < 2%   # all of it\nlost < 0.1%\n");
  ASSERT_EQ(parsed.assertions.size(), 2u);
  EXPECT_EQ(parsed.assertions[0].text, "total(\"malloc\") < 2%");
  EXPECT_EQ(parsed.assertions[0].line, 3u);
  EXPECT_EQ(parsed.assertions[0].column, 3u);
  EXPECT_EQ(parsed.assertions[1].line, 4u);
  EXPECT_FALSE(parsed.needs_baseline());
  EXPECT_TRUE(parsed.needs(MeasureOf::quality));
  EXPECT_FALSE(parsed.needs(MeasureOf::waits));
}

TEST(Budget, MayHaveTheLineEndsOfOtherSystems) { EXPECT_EQ(assertion_of("lost < 1%\r\n").text, "lost < 1%"); }

TEST(Budget, LimitsSharesOfFunctions) {
  const Assertion self = assertion_of("self(\"f\") < 3%");
  EXPECT_EQ(self.quantity, Quantity::self);
  EXPECT_EQ(self.comparison, Comparison::less);
  EXPECT_DOUBLE_EQ(self.limit.value, 3);
  const Assertion total = assertion_of("total('malloc') <= 12.5%");
  EXPECT_EQ(total.quantity, Quantity::total);
  EXPECT_EQ(total.comparison, Comparison::less_equal);
  EXPECT_DOUBLE_EQ(total.limit.value, 12.5);
}

TEST(Budget, NamesFunctionsAsFiltersDo) {
  EXPECT_TRUE(assertion_of("self(=~ \"^std::\") < 3%").function.of_frame.uses(Fact::sym));
  EXPECT_FALSE(assertion_of("self(\"f\") < 3%").function.asks_binary);
  EXPECT_TRUE(assertion_of("self(dso == \"libc.so.6\" && sym =~ \"lock\") < 3%").function.asks_binary);
  EXPECT_TRUE(assertion_of("never (dso == \"a\") under =~ \"b\"").under.has_value());
}

TEST(Budget, ForbidsStacks) {
  const Assertion assertion = assertion_of("never \"page_fault\" under \"on_packet\"");
  EXPECT_EQ(assertion.quantity, Quantity::never);
  EXPECT_EQ(assertion.function.text, "\"page_fault\"");
  EXPECT_EQ(assertion.under->text, "\"on_packet\"");
  EXPECT_FALSE(assertion_of("never \"abort\"").under.has_value());
}

TEST(Budget, LimitsWaits) {
  const Assertion assertion = assertion_of("p99.9(offcpu, comm == \"rx-0\") < 100us");
  EXPECT_EQ(assertion.quantity, Quantity::percentile);
  EXPECT_DOUBLE_EQ(assertion.percentile, 99.9);
  EXPECT_DOUBLE_EQ(assertion.limit.value, 100'000);
  EXPECT_EQ(assertion.condition, "comm == \"rx-0\"");
  EXPECT_TRUE(assertion.filter.uses(Fact::comm));
  EXPECT_EQ(assertion_of("p50(blocked) < 1ms").wait, WaitPart::blocked);
  EXPECT_EQ(assertion_of("max(runqueue, pid == 3) < 1.5s").quantity, Quantity::longest);
  EXPECT_EQ(assertion_of("mean(offcpu) < 1ms").quantity, Quantity::mean);
  EXPECT_EQ(assertion_of("sum(offcpu) < 1s").quantity, Quantity::sum);
  EXPECT_DOUBLE_EQ(assertion_of("count(offcpu, wait == lock) < 100").limit.value, 100);
}

TEST(Budget, LimitsSamplesAndQuality) {
  EXPECT_TRUE(assertion_of("share(dso == \"libssl.so.3\") < 5%").filter.uses(Fact::dso));
  for (const char* name : {"lost", "truncated", "unresolved", "incomplete"}) {
    EXPECT_EQ(assertion_of(std::string(name) + " < 0.1%").unit, BudgetUnit::percent) << name;
  }
  EXPECT_EQ(assertion_of("throttled == 0").quantity, Quantity::throttled);
  EXPECT_DOUBLE_EQ(assertion_of("samples >= 10k").limit.value, 10'240);
}

TEST(Budget, LimitsMemoryAccesses) {
  const Assertion assertion = assertion_of("remote_hitm(\"OrderBook\") == 0");
  EXPECT_EQ(assertion.quantity, Quantity::remote_hitm);
  EXPECT_TRUE(assertion.filter.uses(Fact::addr_sym));
  EXPECT_TRUE(assertion_of("hitm == 0").filter.keeps_all());
  EXPECT_TRUE(assertion_of("loads(comm == \"rx\") < 5").filter.uses(Fact::comm));
  EXPECT_EQ(assertion_of("stores < 5%").unit, BudgetUnit::percent);
}

TEST(Budget, ComparesWithTheBaseline) {
  const Assertion relative = assertion_of("self(\"f\") < baseline + 10%");
  EXPECT_TRUE(relative.limit.of_baseline);
  EXPECT_DOUBLE_EQ(relative.limit.relative, 0.1);
  EXPECT_DOUBLE_EQ(assertion_of("self(\"f\") < baseline + 150%").limit.relative, 1.5);
  const Assertion points = assertion_of("self(\"f\") < baseline + 0.5 points");
  EXPECT_DOUBLE_EQ(points.limit.relative, 0);
  EXPECT_DOUBLE_EQ(points.limit.value, 0.5);
  EXPECT_DOUBLE_EQ(assertion_of("self(\"f\") <= baseline").limit.value, 0);
  EXPECT_DOUBLE_EQ(assertion_of("self(\"f\") < baseline - 5%").limit.relative, -0.05);
  EXPECT_DOUBLE_EQ(assertion_of("self(\"f\") < baseline -5%").limit.relative, -0.05);
  EXPECT_DOUBLE_EQ(assertion_of("p99(offcpu) < baseline + 20us").limit.value, 20'000);
  EXPECT_TRUE(budget_of("lost < 1%\nself(\"f\") < baseline\n").needs_baseline());
}

TEST(Budget, ShowsMistakesAtTheirPlaces) {
  EXPECT_EQ(mistakes_in("lost < 1%\n  totl(\"f\") < 2%\n"),
            "budget.txt:2:3: 'totl': no measure has this name; did you mean total?\n"
            "    totl(\"f\") < 2%\n"
            "    ^~~~");
  EXPECT_EQ(mistakes_in("share(com == \"rx\" < 5%"),
            "budget.txt:1:6: this parenthesis is not closed\n"
            "  share(com == \"rx\" < 5%\n"
            "       ^");
}

TEST(Budget, ShowsMistakesOfExpressionsAtTheirPlaces) {
  EXPECT_EQ(mistakes_in("p99(offcpu, sate == \"S\") < 1ms"),
            "budget.txt:1:13: 'sate': there is no such field; did you mean state?\n"
            "  p99(offcpu, sate == \"S\") < 1ms\n"
            "              ^~~~");
  EXPECT_EQ(mistakes_in("self(sym =~ \"(\") < 3%").substr(0, 17), "budget.txt:1:13: ");
  EXPECT_EQ(mistakes_in("self(dso ==) < 3%"),
            "budget.txt:1:12: expected a field, a number, a text or '('\n"
            "  self(dso ==) < 3%\n"
            "             ^");
}

TEST(Budget, ShowsAllMistakesAtOnce) {
  EXPECT_THAT(mistakes_in("lost < 1\nself(f) < 2%\n"),
              AllOf(HasSubstr("budget.txt:1:8: '1': expected a share, as 2% is one"),
                    HasSubstr("budget.txt:2:6: a name of a function needs quotes: \"f\"")));
  std::string many;
  for (int i = 0; i < 50; ++i) many += "x\n";
  EXPECT_THAT(mistakes_in(many), AllOf(HasSubstr("budget.txt:20:1:"), Not(HasSubstr("budget.txt:21:")),
                                       HasSubstr("and 30 more mistakes")));
}

TEST(Budget, SaysWhatIsMeant) {
  EXPECT_THAT(mistakes_in("comm == \"rx\""), HasSubstr("is a field of samples: share(comm …) < 5%"));
  EXPECT_THAT(mistakes_in("self(pid == 3) < 1%"), HasSubstr("share(…) asks about samples"));
  EXPECT_THAT(mistakes_in("self(\"f\") < 3"), HasSubstr("expected a share"));
  EXPECT_THAT(mistakes_in("p99(offcpu) < 3"), HasSubstr("expected a duration, as 100us is one"));
  EXPECT_THAT(mistakes_in("p100(offcpu) < 3ms"), HasSubstr("below p100"));
  EXPECT_THAT(mistakes_in("p99(ofcpu) < 3ms"), HasSubstr("did you mean offcpu?"));
  EXPECT_THAT(mistakes_in("p99(offcpu comm == \"a\") < 3ms"), HasSubstr("expected a comma"));
  EXPECT_THAT(mistakes_in("self(\"f\") == 3%"), HasSubstr("== is for 0 and for counts"));
  EXPECT_THAT(mistakes_in("self(\"f\") = 3%"), HasSubstr("equal is written =="));
  EXPECT_THAT(mistakes_in("self(\"f\") < baseline + 1"), HasSubstr("baseline + 0.5 points"));
  EXPECT_THAT(mistakes_in("self(\"f\") == baseline"), HasSubstr("two runs are never equal"));
  EXPECT_THAT(mistakes_in("self(\"f\") < baseline - 150%"), HasSubstr("below 0"));
  EXPECT_THAT(mistakes_in("self(\"f\") < 3% lost < 1%"), HasSubstr("each line has one assertion"));
  EXPECT_THAT(mistakes_in("lost(\"x\") < 1%"), HasSubstr("is of the whole recording"));
  EXPECT_THAT(mistakes_in("self < 1%"), HasSubstr("expected (: self(\"f\") < 3%"));
  EXPECT_THAT(mistakes_in("never f under g"), HasSubstr("expected the name of a function in quotes"));
  EXPECT_THAT(mistakes_in("share(every(3)) < 1%"), HasSubstr("not for budgets"));
  EXPECT_THAT(mistakes_in("lost < -1%"), HasSubstr("not a number"));
  EXPECT_THAT(mistakes_in("samples > -1"), HasSubstr("below 0"));
  EXPECT_THAT(mistakes_in("self(\"f\") < 500%"), HasSubstr("budget.txt:1:13: '500%': a share is at most 100%"));
  EXPECT_THAT(mistakes_in("never \"f\" below \"g\""), HasSubstr("'below': did you mean under?"));
}

TEST(Budget, MayBeginWithAByteOrderMark) {
  const Budget budget = parse_budget({.origin = "budget.txt", .text = "\xef\xbb\xbflost < 1%\nsamples > 9\n"});
  ASSERT_EQ(budget.assertions.size(), 2u);
  EXPECT_EQ(budget.assertions[0].column, 1u);
  EXPECT_THAT(mistakes_in("lost < 1%\n\xef\xbb\xbf"
                          "lost < 1%"),
              HasSubstr("budget.txt:2:1:"));
}

TEST(Budget, WithoutAssertionsIsAMistake) {
  EXPECT_THAT(mistakes_in("# nothing\n\n"), HasSubstr("budget.txt: there is no assertion in it"));
  EXPECT_THAT(mistakes_in(""), HasSubstr("there is no assertion in it"));
}

TEST(Budget, ShowsControlCharactersHarmlessly) {
  EXPECT_THAT(mistakes_in("self(\x1b[31m) < 3%"), Not(HasSubstr("\x1b")));
}

TEST(BudgetWording, SaysWhatEachFormAsks) {
  const auto words = [](const std::string& text) {
    const Assertion assertion = assertion_of(text);
    return measured_in_words(assertion) + " " + limit_in_words(assertion);
  };
  EXPECT_EQ(words("self(\"f\") < 3%"), "the share of samples in which the function \"f\" itself ran must be below 3%");
  EXPECT_EQ(
      words("total(=~ \"^f\") >= baseline + 1 point"),
      "the share of samples with a function that matches \"^f\" on their stack must be at least baseline + 1 point");
  EXPECT_EQ(words("never \"a\" under (dso == \"b\")"),
            "the number of samples with the function \"a\" on their stack, called directly or indirectly by a function "
            "with dso == \"b\" must be 0");
  EXPECT_EQ(words("p99.9(offcpu, comm == \"rx-0\") < 100us"),
            "percentile 99.9 of the lengths of intervals off a CPU with comm == \"rx-0\" must be below 100us");
  EXPECT_EQ(words("remote_hitm(\"OrderBook\") == 0"),
            "the number of memory accesses counted as remote_hitm with addr_sym == \"OrderBook\" must be exactly 0");
  EXPECT_EQ(words("throttled <= 3"), "how often the kernel stopped an event that was too frequent must be at most 3");
}

// A name that is not a field may be a field of a tracepoint. Only a recording shows whether a tracepoint has the field.
TEST(BudgetWording, NamesFieldsThatOnlyTracepointsMayHave) {
  const auto needs = [](const std::string& text) { return needs_in_words(assertion_of(text)); };
  EXPECT_EQ(needs("share(dos == \"x\") < 5%"),
            "a recording of perf, a tracepoint with the field dos (did you mean dso?)");
  EXPECT_EQ(needs("share(cmom == \"x\" and prev_prio > 3) < 5%"),
            "a recording of perf, a tracepoint with the field cmom (did you mean comm?), a tracepoint with the field "
            "prev_prio");
  EXPECT_EQ(needs("share(sched:sched_switch.cmom == \"x\") < 5%"),
            "a recording of perf, a tracepoint with the field cmom");
  EXPECT_EQ(needs("share(comm == \"x\") < 5%"), "a recording of perf");
}

}  // namespace
}  // namespace perfsift::filter
