// The properties by which frames differ, on the recording in testdata. Its program has symbols but no debug
// information.

#include "analysis/samples/frame_namer.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/collect/stack_collector.h"
#include "tests/support/paths.h"

namespace perfsift::analysis {
namespace {

class FrameDetails : public ::testing::Test {
 protected:
  void collect(FrameDetail detail) {
    const auto recording = reader::Recording::open(test::source_path("testdata/demo.data"));
    symbolize::SymbolizeOptions options;
    options.symfs = test::source_path("testdata/symfs");
    symbolize::Symbolizer symbolizer(options);
    StackOptions stacks;
    stacks.frames.detail = detail;
    stacks.frames.demangling = symbolize::DemangleStyle::plain;
    const filter::Filter filter;
    StackCollector collector(
        *recording, symbolizer, profile_, stacks, [](const reader::Event&) { return "event"; }, filter);
    collector.collect(1);
  }
  // The frames of stacks with this text.
  std::vector<FrameId> frames_named(std::string_view text) const {
    std::set<FrameId> found;
    std::vector<FrameId> frames;
    for (const StackList& list : profile_.lists()) {
      for (const StackList::Entry& entry : list.entries()) {
        profile_.get_frames(entry, frames);
        for (const FrameId frame : frames) {
          if (profile_.frames().text(frame) == text) found.insert(frame);
        }
      }
    }
    return {found.begin(), found.end()};
  }

  Profile profile_;
};

TEST_F(FrameDetails, FramesWithoutDetailAreTheirTexts) {
  collect(FrameDetail::text);
  for (FrameId frame = 0; frame < profile_.frames().size(); ++frame) {
    const FrameOrigin& origin = profile_.frames().origin(frame);
    if (origin.kind == FrameKind::event || origin.kind == FrameKind::thread) continue;
    EXPECT_EQ(origin, FrameOrigin()) << profile_.frames().text(frame);
  }
}

TEST_F(FrameDetails, AFunctionHasItsBinary) {
  collect(FrameDetail::function);
  const std::vector<FrameId> function = frames_named("demo::scramble");
  ASSERT_EQ(function.size(), 1u);
  const FrameOrigin& origin = profile_.frames().origin(function.front());
  EXPECT_EQ(origin.kind, FrameKind::user);
  EXPECT_FALSE(origin.unnamed);
  EXPECT_EQ(origin.address, 0u);
  EXPECT_EQ(profile_.frames().binary_of(function.front()), "/opt/perfsift-demo/demo");
  // perf buildid-list -i testdata/demo.data
  EXPECT_EQ(profile_.frames().binaries()[origin.binary].build_id.hex(), "f245b97a9126e523c84599ab656cd4dd93e97db6");
  const std::vector<FrameId> thread = frames_named("hasher");
  ASSERT_EQ(thread.size(), 1u);
  EXPECT_EQ(profile_.frames().origin(thread.front()), (FrameOrigin{.kind = FrameKind::thread}));
}

TEST_F(FrameDetails, CodeThatNothingMapsHasNoNameAndNoBinary) {
  collect(FrameDetail::function);
  const std::vector<FrameId> unknown = frames_named("[unknown]");
  ASSERT_EQ(unknown.size(), 1u);
  const FrameOrigin& origin = profile_.frames().origin(unknown.front());
  EXPECT_TRUE(origin.unnamed);
  EXPECT_EQ(origin.binary, FrameOrigin::none);
}

// The addresses of demo::scramble that `perf script -F ip,sym` prints.
TEST_F(FrameDetails, AddressesAreToldApart) {
  collect(FrameDetail::address);
  std::set<std::uint64_t> addresses;
  for (const FrameId frame : frames_named("demo::scramble")) addresses.insert(profile_.frames().origin(frame).address);
  EXPECT_THAT(addresses, testing::ElementsAre(0x219b, 0x21a3));
}

}  // namespace
}  // namespace perfsift::analysis
