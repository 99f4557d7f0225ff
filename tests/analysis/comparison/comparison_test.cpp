// Two profiles side by side: their rows, and their stacks in one tree.

#include "analysis/comparison/comparison.h"

#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/comparison/joined_profile.h"

namespace perfsift::analysis {
namespace {

using testing::ElementsAre;

// A build of a program, in a folder of its own.
struct Build {
  explicit Build(std::string where) : folder(std::move(where)) {}

  void add(const std::vector<std::string>& functions, std::uint64_t samples, std::uint32_t line = 1) {
    std::vector<FrameId> frames{profile.frames().intern("app", {.kind = FrameKind::thread})};
    for (const std::string& function : functions) {
      FrameOrigin origin{.kind = FrameKind::user, .line = line};
      origin.binary = profile.frames().binary({.path = folder + "/app", .build_id = {}});
      frames.push_back(profile.frames().intern(function, origin));
    }
    list.add(profile.event("cycles"), frames, {.samples = samples, .value = samples});
  }

  std::string folder;
  Profile profile;
  StackList& list = profile.new_list();
};

class Comparing : public ::testing::Test {
 protected:
  std::vector<std::string> rows(ChangeOf what = ChangeOf::shares) {
    const ReportShape shape{.keys = {Key::symbol, Key::dso}};
    const Report before(before_.profile, nullptr, shape), after(after_.profile, nullptr, shape);
    const auto tables = compare(before, after, what, RowOrder::self);
    std::vector<std::string> lines;
    for (const ComparedRow& row : tables.at(0).rows) {
      lines.push_back(fmt::format("{} {:+.1f} {:+.1f}{}{}{}", fmt::join(row.cells, "|"), row.self.delta,
                                  row.total.delta, row.self.significant ? "" : " ~", row.is_new() ? " new" : "",
                                  row.is_gone() ? " gone" : ""));
    }
    return lines;
  }

  Build before_{"/build/1"}, after_{"/build/2"};
};

TEST_F(Comparing, RowsOfBothBuildsMeet) {
  before_.add({"main", "slow"}, 600, 10);
  before_.add({"main", "old"}, 300, 11);
  before_.add({"main"}, 100, 12);
  after_.add({"main", "slow"}, 300, 20);
  after_.add({"main", "fresh"}, 100, 21);
  after_.add({"main"}, 100, 22);
  EXPECT_THAT(rows(), ElementsAre("old|app -30.0 -30.0 gone", "fresh|app +20.0 +20.0 new", "main|app +10.0 +0.0",
                                  "slow|app +0.0 +0.0 ~"));
  EXPECT_THAT(rows(ChangeOf::values), ElementsAre("old|app -300.0 -300.0 gone", "slow|app -300.0 -300.0",
                                                  "fresh|app +100.0 +100.0 new", "main|app +0.0 -500.0 ~"));
}

TEST_F(Comparing, ChangesThatMayBeChanceComeLast) {
  before_.add({"big"}, 50);
  before_.add({"small"}, 950);
  before_.add({"rare"}, 1);
  after_.add({"big"}, 65);
  after_.add({"small"}, 935);
  after_.add({"none"}, 20);
  EXPECT_THAT(rows(), ElementsAre("small|app -3.2 -3.2", "none|app +2.0 +2.0 new", "big|app +1.4 +1.4 ~",
                                  "rare|app -0.1 -0.1 ~ gone"));
}

TEST_F(Comparing, StacksOfBothAreInOneTree) {
  before_.add({"main", "a"}, 3, 10);
  before_.add({"main", "b"}, 4, 11);
  after_.add({"main", "a"}, 5, 20);
  const JoinedProfile joined(before_.profile, after_.profile, SameFrame::name_and_binary, FunctionNames::common);
  const CallTree tree(joined.profile(), {.event_frames = false}, 1);
  const TreeAmounts before = joined.amounts(tree, Side::before), after = joined.amounts(tree, Side::after);
  std::vector<std::string> nodes;
  for (CallTree::Node node = 1; node < tree.size(); ++node) {
    nodes.push_back(fmt::format("{} {} {}", joined.profile().frames().text(tree.frame(node)), before.total(node).value,
                                after.total(node).value));
  }
  EXPECT_THAT(nodes, ElementsAre("app 7 5", "main 7 5", "a 3 5", "b 4 0"));
  EXPECT_EQ(joined.profile().frames().binary_of(tree.frame(2)), "app");
}

}  // namespace
}  // namespace perfsift::analysis
