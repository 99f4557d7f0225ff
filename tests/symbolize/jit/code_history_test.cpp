#include "symbolize/jit/code_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perfsift::symbolize {
namespace {

using testing::ElementsAre;
using testing::Eq;
using testing::IsEmpty;
using testing::Optional;

constexpr std::uint64_t end_of_time = ~std::uint64_t{0};

CodeHistory history(std::vector<CodeHistory::Piece> pieces) { return CodeHistory(pieces); }

TEST(CodeHistory, WithoutPiecesHasNothing) {
  EXPECT_EQ(CodeHistory().find(0, 0), std::nullopt);
  EXPECT_EQ(history({}).find(0x1000, end_of_time), std::nullopt);
}

TEST(CodeHistory, APieceCoversItsAddressesUpToItsEnd) {
  const auto code = history({{0x1000, 0x1010, 5}});
  EXPECT_EQ(code.find(0xfff, 5), std::nullopt);
  EXPECT_THAT(code.find(0x1000, 5), Optional(0u));
  EXPECT_THAT(code.find(0x100f, 5), Optional(0u));
  EXPECT_EQ(code.find(0x1010, 5), std::nullopt);
}

TEST(CodeHistory, FromItsTimeOnALaterPieceHidesAnEarlierOne) {
  const auto code = history({{0x1000, 0x1010, 5}, {0x1000, 0x1010, 8}});
  EXPECT_THAT(code.find(0x1000, 7), Optional(0u));
  EXPECT_THAT(code.find(0x1000, 8), Optional(1u));
  EXPECT_THAT(code.find(0x1000, end_of_time), Optional(1u));
}

TEST(CodeHistory, WhatALaterPieceLeavesOfAnEarlierOneStays) {
  const auto code = history({{0x1000, 0x1040, 5}, {0x1010, 0x1020, 8}});
  EXPECT_THAT(code.find(0x100f, 9), Optional(0u));
  EXPECT_THAT(code.find(0x1010, 9), Optional(1u));
  EXPECT_THAT(code.find(0x1020, 9), Optional(0u));
}

TEST(CodeHistory, OfTwoPiecesAtOneTimeTheSecondCounts) {
  const auto code = history({{0x1000, 0x1010, 5}, {0x1000, 0x1010, 5}});
  EXPECT_THAT(code.find(0x1000, 5), Optional(1u));
}

TEST(CodeHistory, BeforeAnythingWasThereTheFirstThatComesCounts) {
  const auto code = history({{0x1000, 0x1010, 5}, {0x1000, 0x1010, 8}});
  EXPECT_THAT(code.find(0x1000, 4), Optional(0u));
}

TEST(CodeHistory, PiecesWithoutSizeCoverNothing) {
  const auto code = history({{0x1000, 0x1000, 5}, {0x2000, 0x1000, 6}});
  EXPECT_EQ(code.find(0x1000, 7), std::nullopt);
  EXPECT_EQ(code.find(0x1800, 7), std::nullopt);
}

TEST(CodeHistory, NewAddressesAreNoChange) {
  EXPECT_THAT(history({{0x1000, 0x1010, 5}, {0x1010, 0x1020, 6}, {0x0, 0x1000, 7}}).changes(), IsEmpty());
}

TEST(CodeHistory, EachTimeAtWhichAnAddressIsReusedIsAChange) {
  const auto code = history({{0x1000, 0x1010, 5},
                             {0x2000, 0x2010, 6},
                             {0x100f, 0x1011, 7},  // overlaps the last byte of the first
                             {0x3000, 0x3010, 8},
                             {0x0, 0x4000, 9},  // covers all of them
                             {0x3fff, 0x5000, 9},
                             {0x4fff, 0x5001, 10}});
  EXPECT_THAT(code.changes(), ElementsAre(7, 9, 10));
}

// A simple, slow implementation of the header's description.
std::optional<std::uint32_t> by_scan(const std::vector<CodeHistory::Piece>& pieces, std::uint64_t address,
                                     std::uint64_t time) {
  std::optional<std::uint32_t> found;
  for (std::uint32_t i = 0; i < pieces.size(); ++i) {
    if (address < pieces[i].start || address >= pieces[i].end) continue;
    if (pieces[i].since <= time || !found) found = i;
  }
  return found;
}

TEST(CodeHistory, ManyOverlappingPiecesAreFoundAsByAScanOfAllOfThem) {
  std::uint32_t random = 1;
  const auto next = [&](std::uint32_t below) { return (random = random * 1664525 + 1013904223) / 65536 % below; };
  std::vector<CodeHistory::Piece> pieces;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const std::uint64_t start = next(100);
    pieces.push_back({start, start + next(30), i / 3});
  }
  const auto code = history(pieces);
  for (std::uint64_t address = 0; address < 140; ++address)
    for (std::uint64_t time = 0; time < 70; ++time)
      ASSERT_THAT(code.find(address, time), Eq(by_scan(pieces, address, time))) << address << " at " << time;
}

// Each piece covers all earlier pieces. A list of pieces for each address would not fit into memory.
TEST(CodeHistory, ManyPiecesThatCoverEachOtherTakeLittleMemoryAndTime) {
  constexpr std::uint64_t count = 200'000;
  std::vector<CodeHistory::Piece> pieces;
  for (std::uint64_t i = 0; i < count; ++i) pieces.push_back({count - i, count + i + 1, i});
  const auto code = history(pieces);
  EXPECT_EQ(code.changes().size(), count - 1);
  for (std::uint64_t i = 0; i < count; ++i) ASSERT_THAT(code.find(count, i), Optional(static_cast<std::uint32_t>(i)));
  EXPECT_THAT(code.find(1, 0), Optional(static_cast<std::uint32_t>(count - 1)));
}

}  // namespace
}  // namespace perfsift::symbolize
