// The syntax of expressions, and the messages for wrong expressions.
#include <string>

#include <gmock/gmock.h>

#include "base/error.h"
#include "filter/literal.h"
#include "tests/dlfilters/told_sample.h"

namespace perfsift::filter {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string error_of(std::string_view expression) {
  try {
    Filter::parse(expression, "--filter");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

std::string error_of_check(std::string_view expression) {
  try {
    Filter::parse(expression, "--filter").check(NoTracepoints());
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Literal, HasUnits) {
  EXPECT_EQ(parse_literal("64k")->number, Number::of(65536));
  EXPECT_EQ(parse_literal("2M")->number, Number::of(2097152));
  EXPECT_EQ(parse_literal("0x1f")->number, Number::of(31));
  EXPECT_EQ(parse_literal("50us")->number, Number::of(50'000));
  EXPECT_EQ(parse_literal("1.5s")->number, Number::of(1'500'000'000));
  EXPECT_EQ(parse_literal("2min")->number, Number::of(120'000'000'000));
  EXPECT_EQ(parse_literal("12.5%")->real, 0.125);
  EXPECT_EQ(parse_literal("0.75")->real, 0.75);
}

TEST(Literal, IsExactToTheNanosecond) {
  EXPECT_EQ(parse_literal("37817.678452001s")->number, Number::of(37817678452001));
  EXPECT_EQ(parse_literal("0.3s")->number, Number::of(300'000'000));
  EXPECT_EQ(parse_literal("1.5k")->number, Number::of(1536));
}

TEST(Literal, MayBeBelowZero) {
  EXPECT_EQ(parse_literal("-1")->number, Number::of_signed(-1));
  EXPECT_LT(parse_literal("-1")->number, Number::of(0));
  EXPECT_EQ(parse_literal("-9223372036854775808")->number, lowest_number);
  EXPECT_EQ(parse_literal("18446744073709551615")->number, highest_number);
}

TEST(Literal, ThatCannotBeANumberIsNone) {
  for (const char* text : {"18446744073709551616", "-9223372036854775809", "12x", "1.2.3", "0x", "0xg", "101%", "-1%",
                           "0.5ns", "20000000000s", "1e3", "9999999999999999999k"}) {
    EXPECT_FALSE(parse_literal(text)) << text;
  }
}

TEST(Language, AnErrorPointsAtItsPlace) {
  EXPECT_EQ(error_of("pid == 1 && cpumode == kernl"),
            "--filter: 'kernl': cpumode is one of unknown, kernel, user, hypervisor, guest_kernel, guest_user\n"
            "  pid == 1 && cpumode == kernl\n"
            "                         ^~~~~");
}

TEST(Language, AMisspeltFieldBringsTheNearestOne) {
  EXPECT_EQ(error_of_check("perid > 100"),
            "--filter: 'perid': there is no such field, and no tracepoint of the recording has one; did you mean "
            "period?\n  perid > 100\n  ^~~~~");
  EXPECT_THAT(error_of_check("prev_pad == 3"), HasSubstr("did you mean prev_pid?"));
  EXPECT_THAT(error_of("mem.opp == load"), HasSubstr("'mem.opp': there is no such field; did you mean mem.op?"));
  EXPECT_THAT(error_of_check("sched:sched_switch.pid == 3"),
              HasSubstr("'pid': there is no such field of sched:sched_switch"));
}

TEST(Language, AnErrorInAFileOfSeveralLinesTellsWhich) {
  EXPECT_EQ(error_of("pid == 1 # main\n&& tid ==\n"),
            "--filter:3: expected a field, a number, a text or '('; the expression ends here\n  \n  ^");
  EXPECT_EQ(error_of("pid == 1 &&\n\ttid == \"x\"\n"), "--filter:2: tid is no text\n   tid == \"x\"\n          ^~~");
}

TEST(Language, AnErrorCountsCharactersAndNotBytes) {
  EXPECT_THAT(error_of("comm == \"größe\" && cpu == \"x\""), ::testing::EndsWith("\n                            ^~~"));
}

TEST(Language, TheCaretStaysBelowALineThatIsTooLongToBeShown) {
  const std::string error = error_of(std::string(500, ' ') + "pid == \"x\"" + std::string(500, ' '));
  const std::size_t line = error.find('\n') + 1;
  const std::size_t carets = error.find('\n', line) + 1;
  EXPECT_EQ(error.find("\"x\"", line) - line, error.find('^', carets) - carets);
}

TEST(Language, WhatCannotBeComparedIsRefused) {
  EXPECT_THAT(error_of("comm == ls"), HasSubstr("text is written in quotes: \"ls\""));
  EXPECT_THAT(error_of("comm == 3"), HasSubstr("comm is text, which is written in quotes"));
  EXPECT_THAT(error_of("comm < \"a\""), HasSubstr("text has no order"));
  EXPECT_THAT(error_of("pid == 64k"), HasSubstr("pid is a plain number"));
  EXPECT_THAT(error_of("period > 10%"), HasSubstr("period is a plain number"));
  EXPECT_THAT(error_of("time > 12.5"), HasSubstr("a time has a unit: 12.5s"));
  EXPECT_THAT(error_of("time == 10%"), HasSubstr("time in 10%..20%"));
  EXPECT_THAT(error_of("mem.op < load"), HasSubstr("mem.op has no order"));
  EXPECT_THAT(error_of("pid == comm"), HasSubstr("a number is not compared with a name"));
  EXPECT_THAT(error_of("1 == 2"), HasSubstr("this compares two constants"));
  EXPECT_THAT(error_of("pid"), HasSubstr("'pid' is not true or false by itself"));
  EXPECT_THAT(error_of("3"), HasSubstr("this is neither true nor false"));
  EXPECT_THAT(error_of("cpu in 4..1"), HasSubstr("the range ends before it begins"));
  EXPECT_THAT(error_of("pid =~ \"x\""), HasSubstr("'pid' is no text"));
  EXPECT_THAT(error_of("sym =~ \"(\""), HasSubstr("not a regular expression: missing )"));
  EXPECT_THAT(error_of("comm & 1"), HasSubstr("'comm' has no bits"));
}

TEST(Language, WhatIsNoExpressionIsRefused) {
  EXPECT_THAT(error_of(""), HasSubstr("there is no expression"));
  EXPECT_THAT(error_of("pid = 1"), HasSubstr("equal is written =="));
  EXPECT_THAT(error_of("pid == 1 | tid == 1"), HasSubstr("or is written ||"));
  EXPECT_THAT(error_of("pid == 1)"), HasSubstr("this closes a bracket that was not opened"));
  EXPECT_THAT(error_of("(pid == 1"), HasSubstr("expected )"));
  EXPECT_THAT(error_of("pid == 1 tid == 2"), HasSubstr("expected an operator"));
  EXPECT_THAT(error_of("comm == \"ls"), HasSubstr("the text that begins here has no end"));
  EXPECT_THAT(error_of("pid == $1"), HasSubstr("no part of an expression begins like this"));
  EXPECT_THAT(error_of("everi(3)"), HasSubstr("did you mean every?"));
  EXPECT_THAT(error_of("every(0)"), HasSubstr("expected a number from 1 on"));
  EXPECT_THAT(error_of("sched:sched_switch == 1"), HasSubstr("an event is text"));
}

TEST(Language, WhatIsAboutWholeStacksOrAllSamplesCannotBeAskedOfAFrame) {
  EXPECT_THAT(error_of("stack has (depth > 3)"), HasSubstr("this is about a whole stack"));
  EXPECT_THAT(error_of("stack has (stack has \"x\")"), HasSubstr("this is about a whole stack"));
  EXPECT_THAT(error_of("stack has (every(3))"), HasSubstr("outside of stack has"));
  EXPECT_THAT(error_of("within 1ms of (first(3))"), HasSubstr("outside of windows"));
  EXPECT_THAT(error_of("within 1ms of (within 1ms of (pid == 1))"), HasSubstr("windows cannot lie in each other"));
  EXPECT_THAT(error_of("within 3 of (pid == 1)"), HasSubstr("expected a duration, as 5ms is one"));
}

TEST(Language, ExpressionsMayNotLieInEachOtherWithoutEnd) {
  const std::string deep = std::string(100'000, '(') + "pid == 1" + std::string(100'000, ')');
  EXPECT_THAT(error_of(deep), HasSubstr("deeper than 100"));
  EXPECT_THAT(error_of(std::string(100'000, '!') + "exact_ip"), HasSubstr("deeper than 100"));
  EXPECT_EQ(error_of(std::string(99, '(') + "pid == 1" + std::string(99, ')')), "");
}

// The examples of perf-record(1) under --filter.
TEST(Language, ReadsFiltersOfPerfRecordAsTheyAre) {
  for (const char* text :
       {"ip > 0xffff", "period > 1000, ip < 0xffff", "mem_op == load || mem_op == store, mem_lvl == l2",
        "mem_lock == locked", "mem_snoop & hitm", "data_pgsz == 4096, weight > 50"}) {
    EXPECT_EQ(error_of(text), "") << text;
  }
}

TEST(Language, QuotesMayBeInTexts) {
  EXPECT_TRUE(keeps(R"(comm == "a\"b")", ToldFacts().with(Fact::comm, "a\"b")));
  EXPECT_TRUE(keeps(R"(comm == 'a"b')", ToldFacts().with(Fact::comm, "a\"b")));
  EXPECT_TRUE(keeps(R"(comm == "a\\b")", ToldFacts().with(Fact::comm, "a\\b")));
  EXPECT_TRUE(keeps(R"(comm =~ "^\d\.\d$")", ToldFacts().with(Fact::comm, "1.2")));
}

TEST(Language, TextsAreBytes) {
  EXPECT_TRUE(keeps("comm == 'a?b'", ToldFacts().with(Fact::comm,
                                                      "a\xff"
                                                      "b")));
  EXPECT_TRUE(keeps("comm =~ 'a.b'", ToldFacts().with(Fact::comm,
                                                      "a\xff"
                                                      "b")));
}

}  // namespace
}  // namespace perfsift::filter
