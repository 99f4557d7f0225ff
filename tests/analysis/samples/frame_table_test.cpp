#include "analysis/samples/frame_table.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace perfsift::analysis {
namespace {

TEST(FrameTable, EqualTextsHaveOneNumber) {
  FrameTable frames;
  const FrameId main = frames.intern("main");
  EXPECT_NE(frames.intern("mai"), main);
  EXPECT_EQ(frames.intern(std::string("main")), main);
  EXPECT_EQ(frames.text(main), "main");
  EXPECT_EQ(frames.size(), 2u);
}

TEST(FrameTable, ThreadsThatInternTheSameTextsAgree) {
  FrameTable frames;
  const auto intern_all = [&](std::vector<FrameId>& ids) {
    for (int i = 0; i < 1000; ++i) ids.push_back(frames.intern("f" + std::to_string(i)));
  };
  std::vector<FrameId> here, there;
  {
    const std::jthread other([&] { intern_all(there); });
    intern_all(here);
  }
  EXPECT_EQ(here, there);
  EXPECT_EQ(frames.size(), 1000u);
  EXPECT_EQ(frames.text(here[123]), "f123");
}

// perf record -z stores no build ids, and a rebuilt program has a different build id.
TEST(FrameTable, FunctionsAreToldApartByTheFileNameOfTheirBinary) {
  FrameTable frames;
  const auto main_in = [&](const char* path, const char* build_id) {
    const std::uint32_t binary = frames.binary({.path = path, .build_id = BuildId::from_hex(build_id)});
    return frames.intern("main", {.kind = FrameKind::user, .binary = binary});
  };
  const FrameId one = main_in("/opt/b/app", "01"), rebuilt = main_in("/opt/a/app", "02");
  const FrameId none = main_in("/opt/b/app", ""), other = main_in("/opt/b/app.old", "01");
  EXPECT_TRUE(frames.same_function(one, rebuilt));
  EXPECT_TRUE(frames.same_function(one, none));
  EXPECT_FALSE(frames.same_function(one, other));
  for (const FrameId frame : {one, rebuilt, none}) {
    EXPECT_LT(frames.compare(frame, other), 0);
    EXPECT_GT(frames.compare(other, frame), 0);
  }
  EXPECT_NE(frames.compare(one, none), 0);
}

TEST(Foldable, SpacesStay) {
  EXPECT_EQ(foldable("std::vector<int, std::allocator<int> >"), "std::vector<int, std::allocator<int> >");
}

TEST(Foldable, WhatSeparatesFramesAndLinesIsReplaced) {
  EXPECT_EQ(foldable("a;b"), "a:b");
  EXPECT_EQ(foldable(std::string_view("a\nb\rc\0d", 7)), R"(a\nb\rc\x00d)");
}

// flamegraph.pl matches /^(.*)\s+?(\d+(?:\.\d*)?)$/ once for the count, and again for a second count.
TEST(Foldable, ANumberAtTheEndCannotBeTakenForACount) {
  EXPECT_EQ(foldable("thread 12"), "thread_12");
  EXPECT_EQ(foldable("thread 12 34"), "thread 12_34");
  EXPECT_EQ(foldable("thread\t1.5"), R"(thread\t1.5)");
  EXPECT_EQ(foldable("thread\f7"), R"(thread\x0c7)");
  EXPECT_EQ(foldable("12"), "12");
  EXPECT_EQ(foldable("thread-12"), "thread-12");
  EXPECT_EQ(foldable("12 threads"), "12 threads");
  EXPECT_EQ(foldable(""), "");
}

}  // namespace
}  // namespace perfsift::analysis
