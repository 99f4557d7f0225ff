#include "analysis/profile/ranked_frames.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

namespace perfsift::analysis {
namespace {

// Frames that differ in few of the properties that FrameTable::compare() compares.
void add_random_frames(std::size_t count, FrameTable& frames) {
  std::mt19937 random(11);
  const auto any = [&](std::uint32_t values) { return static_cast<std::uint32_t>(random() % values); };
  const auto one_or_none = [&](std::uint32_t number) { return any(3) == 0 ? FrameOrigin::none : number; };
  for (std::size_t i = 0; i < count; ++i) {
    const std::string folder = any(2) == 0 ? "/a/" : "/b/", name = any(2) == 0 ? "x" : "y";
    const std::uint32_t binary = frames.binary({.path = folder + name, .build_id = {}});
    const std::uint32_t file = frames.file(folder + name + ".c");
    frames.intern(std::string(1 + any(3), 'f'), {.kind = any(2) == 0 ? FrameKind::user : FrameKind::kernel,
                                                 .inlined = any(2) == 0,
                                                 .unnamed = any(4) == 0,
                                                 .binary = one_or_none(binary),
                                                 .file = one_or_none(file),
                                                 .line = any(3),
                                                 .address = any(3)});
  }
}

TEST(RankedFrames, TheTreeIsInTheOrderOfTheTable) {
  FrameTable frames;
  add_random_frames(3000, frames);
  const RankedFrames ranks(frames, StackOrder::tree);
  ASSERT_EQ(ranks.count(), frames.size() + 1);
  for (std::uint32_t rank = 2; rank < ranks.count(); ++rank)
    ASSERT_LT(frames.compare(ranks.frame(rank - 1), ranks.frame(rank)), 0) << rank;
}

}  // namespace
}  // namespace perfsift::analysis
