#include "store/label_rules.h"

#include <gmock/gmock.h>

#include "base/error.h"

namespace perfsift::store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(LabelRules, NamedGroupsOfPathsAreLabels) {
  const LabelRules rules("rules",
                         "# hosts\n\npath\t/(?P<host>[^/]+)/(?P<service>[^/]+)-(?P<version>[0-9.]+)\\.data$\r\n");
  EXPECT_THAT(rules.labels_of_path("/srv/web-1/shop-1.2.data"),
              ElementsAre(Pair("host", "web-1"), Pair("service", "shop"), Pair("version", "1.2")));
  EXPECT_THAT(rules.labels_of_path("perf.data"), IsEmpty());
  const std::string_view cgroup = "/web-1/shop-1.2.data";
  EXPECT_THAT(rules.labels_of_cgroups({&cgroup, 1}), IsEmpty());
}

TEST(LabelRules, TheFirstRuleThatFindsALabelCounts) {
  const LabelRules rules("rules", "path (?P<a>x+)\npath (?P<a>.)(?P<b>.)(?P<c>nothing)?");
  EXPECT_THAT(rules.labels_of_path("yxx"), ElementsAre(Pair("a", "xx"), Pair("b", "x")));
}

TEST(LabelRules, ALabelOfControlGroupsIsThatOfAllOfThem) {
  const LabelRules rules("rules", "cgroup /kubepods/.*pod(?P<pod>[^/]+)/(?P<container>[^/]+)");
  const std::string_view same_pod[] = {"/kubepods/burst/pod7/c1", "/kubepods/burst/pod7/c2"};
  EXPECT_THAT(rules.labels_of_cgroups(same_pod), ElementsAre(Pair("pod", "7")));
  const std::string_view others[] = {"/kubepods/burst/pod7/c1", "/system.slice"};
  EXPECT_THAT(rules.labels_of_cgroups(others), IsEmpty());
  EXPECT_THAT(rules.labels_of_cgroups({}), IsEmpty());
}

TEST(LabelRules, MistakesAreNamedWithTheirLine) {
  const auto why = [](std::string_view text) -> std::string {
    try {
      const LabelRules rules("rules", text);
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(why("path (?P<a>x)\nfile x"), "rules:2: a rule is the word path or cgroup, and a regular expression");
  EXPECT_EQ(why("path"), "rules:1: a rule is the word path or cgroup, and a regular expression");
  EXPECT_EQ(why("path (x)"), "rules:1: the expression names no label: a group such as (?P<service>[^/]+) does");
  EXPECT_EQ(why("\npath (?P<a>x"), "rules:2: missing ): (?P<a>x");
  EXPECT_EQ(why("path (?P<from>x)"), "rules:1: from is no label, but chooses samples in the address of a store");
}

}  // namespace
}  // namespace perfsift::store
