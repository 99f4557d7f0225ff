#include "output/info/outline.h"

#include <gtest/gtest.h>

namespace perfsift::output {
namespace {

TEST(Outline, GivesEachMemberALineAndItsKeyBlanks) {
  EXPECT_EQ(outline({{"os_release", "6.1"}, {"cpus", 2}, {"branch_stack", true}}),
            "os release: 6.1\ncpus: 2\nbranch stack: yes\n");
}

TEST(Outline, IndentsWhatIsNested) {
  EXPECT_EQ(outline({{"clock", {{"id", 1}, {"ns", 5}}}}, 2), "  clock:\n    id: 1\n    ns: 5\n");
}

TEST(Outline, JoinsListsOfSimpleValues) {
  EXPECT_EQ(outline({{"siblings", Json::array({"0-1", "2-3"})}}), "siblings: 0-1, 2-3\n");
}

TEST(Outline, LeavesOutWhatIsEmpty) {
  EXPECT_EQ(outline({{"a", nullptr}, {"b", Json::array()}, {"c", Json::object()}, {"d", 0}}), "d: 0\n");
}

TEST(Outline, MakesATableOfAListOfObjects) {
  const Json rows = Json::array({{{"cpu", 9}, {"node", 0}}, {{"cpu", 10}, {"node", 1}}});
  EXPECT_EQ(outline({{"cpus", rows}}), "cpus:\n  cpu  node\n    9     0\n   10     1\n");
}

TEST(Outline, ShowsNoControlCharacters) {
  EXPECT_EQ(outline({{"host", "a\x1b[2J\n\x7f"}}), "host: a\\x1b[2J\\n\\x7f\n");
}

TEST(Table, PutsTextsLeftAndNumbersRight) {
  const Json rows =
      Json::array({{{"name", "ab"}, {"n", 1}, {"last", "x"}}, {{"name", "c"}, {"n", 22}, {"last", "yy"}}});
  EXPECT_EQ(table(rows),
            "name   n  last\n"
            "ab     1  x\n"
            "c     22  yy\n");
}

TEST(Table, ShowsWhatIsNotKnownAsADash) {
  const Json rows = Json::array({{{"event", nullptr}, {"cpu", 1}}, {{"event", "cycles"}, {"cpu", nullptr}}});
  EXPECT_EQ(table(rows),
            "event   cpu\n"
            "-         1\n"
            "cycles    -\n");
}

TEST(Table, OfNoRowsIsNothing) { EXPECT_EQ(table(Json::array()), ""); }

}  // namespace
}  // namespace perfsift::output
