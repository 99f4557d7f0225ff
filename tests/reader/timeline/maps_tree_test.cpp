#include "reader/timeline/maps_tree.h"

#include <cmath>
#include <map>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perfsift::reader {
namespace {

constexpr std::uint64_t page = 0x1000;

// A simple model of an address space, one page at a time.
class PageTable {
 public:
  void map(const Mapping& mapping) {
    for (std::uint64_t at = mapping.start; at < mapping.end; at += page)
      pages_[at] = {mapping.binary, mapping.to_offset(at)};
  }
  void unmap(std::uint64_t start, std::uint64_t end) {
    for (std::uint64_t at = start; at < end; at += page) pages_.erase(at);
  }
  bool agrees_with(const MapsTree& tree, MapsVersion version, std::uint64_t pages) const {
    for (std::uint64_t at = 0; at < pages * page; at += page) {
      const Mapping* found = tree.find(version, at + 7);
      const auto expected = pages_.find(at);
      if ((found != nullptr) != (expected != pages_.end())) return false;
      if (found != nullptr && std::pair(found->binary, found->to_offset(at)) != expected->second) return false;
    }
    return true;
  }

 private:
  std::map<std::uint64_t, std::pair<std::uint32_t, std::uint64_t>> pages_;
};

Mapping pages(std::uint64_t first, std::uint64_t count, std::uint32_t binary = 0, std::uint64_t page_offset = 0) {
  return {.start = first * page, .end = (first + count) * page, .page_offset = page_offset, .binary = binary};
}

MATCHER(IsOrderedWithoutOverlap, "") {
  for (std::size_t i = 0; i < arg.size(); ++i)
    if (arg[i].start >= arg[i].end || (i > 0 && arg[i - 1].end > arg[i].start)) return false;
  return true;
}

unsigned highest_avl(std::size_t count) {
  return static_cast<unsigned>(std::floor(1.4405 * std::log2(static_cast<double>(count) + 2)));
}

TEST(MapsTree, AllVersionsAnswerLikePageTables) {
  constexpr std::uint64_t space = 300;
  std::mt19937 random(20240611);
  const auto below = [&](std::uint64_t n) { return random() % n; };

  MapsTree tree;
  std::vector<std::pair<MapsVersion, PageTable>> versions = {{MapsTree::empty, {}}};
  for (std::uint32_t step = 0; step < 2000; ++step) {
    // Mostly changes the newest version, sometimes an older one.
    auto [version, expected] = versions[below(8) == 0 ? below(versions.size()) : versions.size() - 1];
    const std::uint64_t first = below(space);
    const std::uint64_t count = 1 + below(std::min<std::uint64_t>(space - first, below(10) == 0 ? space : 6));
    if (below(3) == 0) {
      version = tree.unmap(version, first * page, (first + count) * page);
      expected.unmap(first * page, (first + count) * page);
    } else {
      const Mapping mapping = pages(first, count, step, below(100) * page);
      version = tree.map(version, mapping);
      expected.map(mapping);
    }
    ASSERT_TRUE(expected.agrees_with(tree, version, space)) << "step " << step;
    const auto list = tree.list(version);
    ASSERT_THAT(list, IsOrderedWithoutOverlap()) << "step " << step;
    ASSERT_LE(tree.height(version), highest_avl(list.size())) << "step " << step;
    versions.emplace_back(version, std::move(expected));
  }
  for (std::size_t i = 0; i < versions.size(); ++i)
    ASSERT_TRUE(versions[i].second.agrees_with(tree, versions[i].first, space)) << "version " << i;
}

TEST(MapsTree, AMappingInsideAnotherLeavesBothEnds) {
  MapsTree tree;
  const MapsVersion version = tree.map(tree.map(0, pages(0, 10, 1)), pages(4, 2, 2));
  const Mapping after{.start = 6 * page, .end = 10 * page, .page_offset = 6 * page, .binary = 1};
  EXPECT_THAT(tree.list(version), testing::ElementsAre(pages(0, 4, 1), pages(4, 2, 2), after));
}

TEST(MapsTree, MappingTheSameAgainIsTheSameVersion) {
  MapsTree tree;
  const MapsVersion version = tree.map(0, pages(3, 2, 1));
  EXPECT_EQ(tree.map(version, pages(3, 2, 1)), version);
  EXPECT_NE(tree.map(version, pages(3, 2, 2)), version);
}

TEST(MapsTree, AVersionWithoutMappingsIsTheEmptyVersion) {
  MapsTree tree;
  const MapsVersion version = tree.map(0, pages(3, 2));
  EXPECT_EQ(tree.unmap(version, 0, 100 * page), MapsTree::empty);
}

TEST(MapsTree, AnEmptyOrReversedRangeMapsNothing) {
  MapsTree tree;
  EXPECT_EQ(tree.map(0, {.start = page, .end = page}), MapsTree::empty);
  EXPECT_EQ(tree.map(0, {.start = 2 * page, .end = page}), MapsTree::empty);
  const MapsVersion version = tree.map(0, pages(0, 5));
  EXPECT_EQ(tree.unmap(version, 3 * page, 2 * page), version);
}

TEST(MapsTree, TheBackgroundIsFoundBetweenOtherMappingsAndSurvivesTheirChanges) {
  MapsTree tree;
  Mapping background = pages(0, 10, 9);
  background.identity = true;
  MapsVersion version = tree.set_background(tree.map(0, pages(4, 2, 1)), background);
  EXPECT_EQ(tree.find(version, 3 * page)->binary, 9u);
  EXPECT_EQ(tree.find(version, 4 * page)->binary, 1u);
  EXPECT_EQ(tree.list(version).size(), 3u);
  version = tree.unmap(version, 4 * page, 6 * page);
  EXPECT_EQ(tree.find(version, 4 * page)->binary, 9u);
  EXPECT_EQ(tree.find(version, 10 * page), nullptr);
}

// A change makes the nodes on one path, and a few nodes beside the path, whatever the order.
TEST(MapsTree, AChangeMakesNoMoreNodesThanTheTreeIsHigh) {
  constexpr std::uint64_t count = 100'000;
  const double nodes_allowed = 1.05 * count * std::log2(count);
  const auto scattered = [](std::uint64_t i) { return i * 48271 % 100'003; };  // 100003 is prime, so all values differ
  for (const auto order :
       {+[](std::uint64_t i) { return i; }, +[](std::uint64_t i) { return count - i; }, +scattered}) {
    MapsTree tree;
    MapsVersion version = 0;
    for (std::uint64_t i = 0; i < count; ++i) version = tree.map(version, pages(2 * order(i), 1));
    EXPECT_LE(tree.node_count(), nodes_allowed);
    EXPECT_LE(tree.height(version), highest_avl(count));
  }
}

// A recording that maps many small pieces, covers them with one mapping, and repeats this from a version with all
// pieces.
TEST(MapsTree, CoveringManyMappingsCostsNoMoreThanCoveringOne) {
  MapsTree tree;
  MapsVersion many = 0;
  for (std::uint64_t i = 0; i < 10'000; ++i) many = tree.map(many, pages(2 * i, 1));
  const std::size_t before = tree.node_count();
  const MapsVersion covered = tree.map(many, pages(1, 19'990));
  EXPECT_LE(tree.node_count() - before, 4u * tree.height(many));
  EXPECT_EQ(tree.list(covered).size(), 6u);
  EXPECT_EQ(tree.list(many).size(), 10'000u);
}

TEST(MapsTree, NeighboursBelow) {
  MapsTree tree;
  MapsVersion version = MapsTree::empty;
  EXPECT_EQ(tree.lowest(version), nullptr);
  EXPECT_EQ(tree.below(version, page), nullptr);
  for (const std::uint32_t first : {50, 20, 40, 30}) version = tree.map(version, pages(first, 1, first));
  EXPECT_EQ(tree.lowest(version)->binary, 20u);
  EXPECT_EQ(tree.below(version, 20 * page), nullptr);
  EXPECT_EQ(tree.below(version, 20 * page + 1)->binary, 20u);
  EXPECT_EQ(tree.below(version, 40 * page)->binary, 30u);
  EXPECT_EQ(tree.below(version, ~std::uint64_t{0})->binary, 50u);
  EXPECT_EQ(tree.below(version, 0), nullptr);
}

}  // namespace
}  // namespace perfsift::reader
