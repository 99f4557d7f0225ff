#include "analysis/samples/joined_stack.h"

#include <gmock/gmock.h>

#include "reader/callchain.h"

namespace perfsift::analysis {
namespace {

namespace context = reader::callchain_context;
namespace note = reader::callchain_note;
using UnwoundBy = symbolize::FrameOrigin;  // analysis also has a FrameOrigin
using symbolize::StackEnd;
using testing::ElementsAre;

std::vector<std::uint64_t> joined(const std::vector<Unaligned<std::uint64_t>>& callchain,
                                  std::vector<symbolize::Frame> frames, StackEnd end = StackEnd::complete) {
  symbolize::UnwoundStack unwound;
  unwound.frames = std::move(frames);
  unwound.end = end;
  std::vector<Unaligned<std::uint64_t>> words{9, 9, 9};
  join(callchain, unwound, words);
  return {words.begin(), words.end()};
}

symbolize::Frame first(std::uint64_t address) { return {.address = address}; }
symbolize::Frame caller(std::uint64_t address, UnwoundBy origin = UnwoundBy::cfi) {
  return {.address = address, .return_address = true, .origin = origin};
}

TEST(JoinedStack, TheKernelsPartComesBeforeTheUnwoundFrames) {
  EXPECT_THAT(joined({context::kernel, 1, 2}, {first(10), caller(20)}),
              ElementsAre(context::kernel, 1, 2, context::user, 10, 20));
  EXPECT_THAT(joined({}, {first(10)}), ElementsAre(context::user, 10));
}

TEST(JoinedStack, WhatASignalInterruptedStartsAContextOfItsOwn) {
  EXPECT_THAT(joined({}, {first(10), caller(20), first(30), caller(40)}),
              ElementsAre(context::user, 10, 20, context::user, 30, 40));
}

TEST(JoinedStack, NotesSayWhichFramesWereGuessedOrAreOfAnEarlierSample) {
  EXPECT_THAT(
      joined({}, {first(10), caller(20, UnwoundBy::frame_pointer), caller(30), caller(40, UnwoundBy::earlier_stack)}),
      ElementsAre(context::user, 10, note::guessed, 20, note::found, 30, note::repaired, 40));
}

TEST(JoinedStack, ACompleteStackNeedsNothingOfTheRecordedPart) {
  EXPECT_THAT(joined({context::user, 10, 20, 30}, {first(10), caller(20)}), ElementsAre(context::user, 10, 20));
}

TEST(JoinedStack, WhereTheCopyEndsTheRecordedPartGoesOn) {
  EXPECT_THAT(joined({context::kernel, 1, context::user, 10, 20, 30, 40}, {first(10), caller(20)}, StackEnd::truncated),
              ElementsAre(context::kernel, 1, context::user, 10, 20, 30, 40));
}

TEST(JoinedStack, InARecursionTheRecordedPartGoesOnWhereTheCalleesAgree) {
  EXPECT_THAT(joined({context::user, 10, 20, 20, 20, 30}, {first(10), caller(20), caller(20)}, StackEnd::truncated),
              ElementsAre(context::user, 10, 20, 20, 20, 30));
}

TEST(JoinedStack, OneThatIsCutIsNoted) {
  EXPECT_THAT(joined({}, {first(10), caller(20)}, StackEnd::truncated),
              ElementsAre(context::user, 10, 20, note::truncated));
  EXPECT_THAT(joined({context::user, 10, 99}, {first(10), caller(20)}, StackEnd::max_frames),
              ElementsAre(context::user, 10, 20, note::truncated));
  EXPECT_THAT(joined({}, {first(10)}, StackEnd::no_cfi), ElementsAre(context::user, 10));
}

struct Part {
  reader::CpuMode mode;
  std::uint64_t note;
  bool starts_a_call;
  std::vector<std::uint64_t> addresses;
  bool operator==(const Part&) const = default;
};

TEST(CallchainParts, AreWhatLiesBetweenMarkers) {
  using reader::CpuMode;
  const std::vector<Unaligned<std::uint64_t>> words{
      1, context::kernel, 2, 3, context::user, note::guessed, 4, 5, note::found, 6, context::user, note::repaired,
      7, note::truncated};
  std::vector<Part> parts;
  reader::for_each_part(words, CpuMode::user, [&](const reader::CallchainPart& part) {
    parts.push_back({part.mode, part.note, part.starts_a_call, {part.addresses.begin(), part.addresses.end()}});
  });
  EXPECT_EQ(parts, (std::vector<Part>{{CpuMode::user, note::found, true, {1}},
                                      {CpuMode::kernel, note::found, true, {2, 3}},
                                      {CpuMode::user, note::guessed, true, {4, 5}},
                                      {CpuMode::user, note::found, false, {6}},
                                      {CpuMode::user, note::repaired, true, {7}}}));
  EXPECT_TRUE(reader::is_noted_truncated(words));
}

}  // namespace
}  // namespace perfsift::analysis
