// The outputs of a verdict for CI services. The services document the escapes.
#include <gmock/gmock.h>

#include "output/gate/annotations.h"
#include "output/gate/assertion_text.h"
#include "output/gate/junit.h"
#include "output/gate/markdown.h"
#include "output/gate/sarif.h"

namespace perfsift::output {
namespace {

using analysis::AssertionResult;
using analysis::AssertionUnit;
using analysis::Estimate;
using analysis::Outcome;
using analysis::Verdict;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

AssertionResult result(Outcome outcome, std::string text, std::uint32_t line) {
  AssertionResult made;
  made.text = std::move(text);
  made.file = "ci/perf, budget.txt";
  made.line = line;
  made.column = 3;
  made.outcome = outcome;
  made.measured = Estimate{.value = 3.5, .low = 3.1, .high = 4};
  made.limit = 3;
  return made;
}

Verdict verdict() {
  Verdict made;
  made.outcome = Outcome::failed;
  made.assertions = {result(Outcome::failed, "self(\"f\") < 3%", 2), result(Outcome::passed, "lost < 1%", 3),
                     result(Outcome::cannot_judge, "p99(offcpu) < 1ms", 4)};
  made.reasons.push_back(
      {.key = "lost", .text = "20 % of the samples were lost", .advice = "use -m", .tolerated = true});
  analysis::Finding finding;
  finding.kind = analysis::FindingKind::dearer;
  finding.function = {.name = "std::map<int, char>::find`]]>|<b>", .binary = "app"};
  finding.before = {.samples = 100, .share = 0.1};
  finding.after = {.samples = 200, .share = 0.2};
  finding.effect = {.value = 0.1, .low = 0.08, .high = 0.12};
  finding.stacks.push_back({.frames = {"main", "f`|g"}, .before = {}, .after = {.samples = 9, .share = 0.01}});
  made.findings.push_back(finding);
  made.before.runs = {"a.data"};
  made.after.runs = {"b c.data"};
  return made;
}

std::string junit(const Verdict& of) {
  TextWriter out;
  write_junit(of, out);
  return std::string(out.view());
}
std::string annotations(const Verdict& of, Annotations service) {
  TextWriter out;
  write_annotations(of, service, out);
  return std::string(out.view());
}

TEST(AssertionText, HasTheUnit) {
  EXPECT_EQ(measured_text(AssertionUnit::percent, 1.234), "1.23 %");
  EXPECT_EQ(measured_text(AssertionUnit::nanoseconds, 45'100), "45.1 us");
  EXPECT_EQ(measured_text(AssertionUnit::count, 12), "12");
  EXPECT_EQ(assertion_sentence(verdict().assertions.front()), "measured 3.5 % (3.1 % to 4 %), limit 3 %");
}

TEST(JUnit, CountsWhatItHas) {
  const std::string text = junit(verdict());
  EXPECT_THAT(text, HasSubstr("tests=\"5\" failures=\"2\" errors=\"1\" skipped=\"1\""));
  EXPECT_THAT(text, HasSubstr("name=\"self(&quot;f&quot;) &lt; 3% (line 2)\""));
  EXPECT_THAT(text, AllOf(Not(HasSubstr("<b>")), Not(HasSubstr("]]>"))));
}

TEST(JUnit, NeverLooksPassedWhereNothingCanBeJudged) {
  Verdict of;
  of.before.runs = of.after.runs = {"a"};
  of.reasons.push_back({.key = "kernel", .text = "other kernels", .advice = "use one", .tolerated = false});
  EXPECT_THAT(junit(of), HasSubstr("tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\""));
  of.reasons.clear();
  EXPECT_THAT(junit(of), HasSubstr("tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\""));
}

TEST(Sarif, HasAResultForEachRemark) {
  const Json run = sarif_json(verdict())["runs"][0];
  ASSERT_EQ(run["results"].size(), 5u);
  const Json& failed = run["results"][1];
  EXPECT_EQ(failed["ruleId"], run["tool"]["driver"]["rules"][failed["ruleIndex"].get<std::size_t>()]["id"]);
  EXPECT_EQ(failed["kind"], "fail");
  EXPECT_EQ(failed["level"], "error");
  const Json& place = failed["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "ci/perf%2C%20budget.txt");
  EXPECT_EQ(place["region"]["startLine"], 2);
  EXPECT_EQ(run["results"][3]["kind"], "open");
  EXPECT_EQ(run["results"][3]["level"], "none");
  EXPECT_EQ(run["results"][4]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "b%20c.data");
}

TEST(Annotations, OfGitHub) {
  const std::string text = annotations(verdict(), Annotations::github);
  EXPECT_THAT(text,
              HasSubstr("::error title=self(\"f\") < 3%25,file=ci/perf%2C budget.txt,line=2,col=3::measured 3.5 %25 "
                        "(3.1 %25 to 4 %25), limit 3 %25\n"));
  EXPECT_THAT(text, HasSubstr("::warning title=p99(offcpu) < 1ms,"));
  EXPECT_THAT(text, HasSubstr("::notice title=lost::tolerated: 20 %25 of"));
}

TEST(Annotations, OfAzure) {
  EXPECT_THAT(annotations(verdict(), Annotations::azure),
              HasSubstr("##vso[task.logissue type=error;code=budget;sourcepath=ci/perf, "
                        "budget.txt;linenumber=2;columnnumber=3]self(\"f\") < 3%AZP25: measured"));
}

TEST(Annotations, OfTeamCity) {
  EXPECT_THAT(annotations(verdict(), Annotations::teamcity),
              HasSubstr("##teamcity[buildProblem description='std::map<int, char>::find`|]|]>||<b>: "));
}

TEST(Annotations, OfGitLab) {
  const Json list = Json::parse(annotations(verdict(), Annotations::gitlab));
  ASSERT_EQ(list.size(), 4u);  // passed assertions are left out
  EXPECT_EQ(list[1]["location"]["lines"]["begin"], 2);
  EXPECT_EQ(list[1]["severity"], "critical");
  EXPECT_NE(list[1]["fingerprint"], list[2]["fingerprint"]);
}

TEST(Markdown, EscapesText) {
  EXPECT_EQ(markdown_text("<b>*a*|`_"), "\\<b\\>\\*a\\*\\|\\`\\_");
  EXPECT_EQ(markdown_code("a|b"), "`a|b`");
  EXPECT_EQ(markdown_cell_code("a|b"), "`a\\|b`");
  EXPECT_EQ(markdown_code("a``b"), "```a``b```");
  EXPECT_EQ(markdown_code("`"), "`` ` ``");
  EXPECT_EQ(markdown_code("a\nb"), "`a\\nb`");
}

TEST(Markdown, HasTables) {
  TextWriter out;
  write_verdict_markdown(verdict(), {"candidate: <i>"}, out);
  const std::string text(out.view());
  EXPECT_THAT(text, HasSubstr("## perfsift check: failed\n"));
  EXPECT_THAT(text, HasSubstr("| `self(\"f\") < 3%` | failed | measured 3\\.5 % \\(3\\.1 % to 4 %\\), limit 3 % |\n"));
  EXPECT_THAT(text,
              HasSubstr("| ``std::map<int, char>::find`]]>\\|<b>`` in `app` | costs more | self | 10.00 % (100) | "
                        "20.00 % (200) | +10.00 (+8.00 to +12.00) |\n"));
  EXPECT_THAT(text, HasSubstr("- ``main;f`|g``: 0.00 % (0) before, 1.00 % (9) after\n"));
  EXPECT_THAT(text, HasSubstr("candidate\\: \\<i\\>"));
}

}  // namespace
}  // namespace perfsift::output
