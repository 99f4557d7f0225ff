#include <ostream>
#include <vector>

#include <gmock/gmock.h>

#include "analysis/samples/callchain.h"

namespace perfsift::analysis {

bool operator==(const Frame& a, const Frame& b) { return a.address == b.address && a.mode == b.mode; }
void PrintTo(const Frame& frame, std::ostream* out) {
  *out << std::hex << frame.address << '/' << static_cast<int>(frame.mode);
}

namespace {

using reader::BranchEntry;
using reader::CpuMode;
using testing::ElementsAre;
using testing::IsEmpty;

// The value in enum perf_callchain_context.
constexpr auto hypervisor_context = static_cast<std::uint64_t>(-32);
constexpr auto kernel_context = static_cast<std::uint64_t>(-128);
constexpr auto user_context = static_cast<std::uint64_t>(-512);
constexpr auto deferred_context = static_cast<std::uint64_t>(-640);
constexpr auto guest_context = static_cast<std::uint64_t>(-2048);

struct Recorded {
  std::vector<Unaligned<std::uint64_t>> entries;
  std::vector<Unaligned<BranchEntry>> branches;
  reader::Event event;
  CpuMode cpumode = CpuMode::kernel;
  std::uint64_t ip = 0;

  std::vector<Frame> frames(unsigned max_stack = 127, PerfStyle style = PerfStyle::newest) {
    reader::Sample sample;
    sample.event = &event;
    sample.cpumode = cpumode;
    sample.ip = ip;
    sample.has_callchain = true;
    sample.callchain = entries;
    sample.has_branch_stack = event.attr.has(reader::sample_bit::branch_stack);
    sample.branch_stack = branches;
    std::vector<Frame> result;
    callchain_frames(sample, max_stack, style, result);
    return result;
  }
};

std::vector<Frame> frames(std::vector<Unaligned<std::uint64_t>> entries, unsigned max_stack = 127) {
  return Recorded{.entries = std::move(entries), .branches = {}, .event = {}}.frames(max_stack);
}

TEST(CallchainFrames, MarkersSayWhoseFramesFollow) {
  EXPECT_THAT(frames({kernel_context, 1, user_context, 2, 3, hypervisor_context, 4}),
              ElementsAre(Frame{1, CpuMode::kernel}, Frame{2, CpuMode::user}, Frame{3, CpuMode::user},
                          Frame{4, CpuMode::hypervisor}));
}

TEST(CallchainFrames, AllButTheFirstOfAContextAreReturnAddresses) {
  const std::vector<Frame> all = frames({kernel_context, 1, 2, user_context, 3, 4});
  const auto returns = [](const Frame& frame) { return frame.return_address; };
  EXPECT_THAT(std::vector<bool>({returns(all[0]), returns(all[1]), returns(all[2]), returns(all[3])}),
              ElementsAre(false, true, false, true));
}

TEST(CallchainFrames, UnwoundCallersAreKnownByTheirCalls) {
  symbolize::UnwoundStack stack;
  stack.frames = {{.address = 100}, {.address = 200, .return_address = true}, {.address = 300}};
  std::vector<Frame> result;
  append_unwound(stack, result);
  EXPECT_THAT(result, ElementsAre(Frame{100, CpuMode::user}, Frame{199, CpuMode::user}, Frame{300, CpuMode::user}));
}

TEST(CallchainFrames, WithoutAMarkerTheyAreTheUsers) {
  EXPECT_THAT(frames({0xffffffff81000000, 0}),
              ElementsAre(Frame{0xffffffff81000000, CpuMode::user}, Frame{0, CpuMode::user}));
}

TEST(CallchainFrames, AnUnknownMarkerDiscardsAll) {
  EXPECT_THAT(frames({kernel_context, 1, guest_context, 2}), IsEmpty());
  EXPECT_THAT(frames({kernel_context, 1, static_cast<std::uint64_t>(-7), 2}), IsEmpty());
}

TEST(CallchainFrames, ADeferredUserPartKeepsTheKernels) {
  EXPECT_THAT(frames({kernel_context, 1, deferred_context, 77}), ElementsAre(Frame{1, CpuMode::kernel}));
}

TEST(CallchainFrames, TheLimitCountsFramesAndNoMarkers) {
  EXPECT_THAT(frames({kernel_context, 1, user_context, 2, 3}, 2),
              ElementsAre(Frame{1, CpuMode::kernel}, Frame{2, CpuMode::user}));
}

Recorded with_branches(std::vector<Unaligned<std::uint64_t>> entries) {
  Recorded recorded{.entries = std::move(entries), .branches = {BranchEntry{10, 11, 0}, BranchEntry{20, 21, 0}}};
  recorded.event.attr.sample_type = reader::sample_bit::ip | reader::sample_bit::branch_stack;
  recorded.event.attr.branch_sample_type = 1u << 11;  // PERF_SAMPLE_BRANCH_CALL_STACK
  return recorded;
}

// The user leaf is the instruction that entered the kernel. perf 7.2 uses the sample's ip, which is in the kernel.
TEST(CallchainFrames, TheHardwaresCallStackReplacesTheUsersCallers) {
  Recorded recorded = with_branches({kernel_context, 1, user_context, 2, 3});
  EXPECT_THAT(recorded.frames(), ElementsAre(Frame{1, CpuMode::kernel}, Frame{2, CpuMode::user},
                                             Frame{10, CpuMode::user}, Frame{20, CpuMode::user}));
  recorded.entries = {kernel_context, 1};
  EXPECT_THAT(recorded.frames(), ElementsAre(Frame{1, CpuMode::kernel}));
}

// perf 7.2 has the same output for precise events (whose ip differs from the callchain's) and other events.
TEST(CallchainFrames, TheUsersLeafIsItsInstructionAndNoBranchesTarget) {
  Recorded recorded = with_branches({user_context, 2, 3});
  recorded.cpumode = CpuMode::user;
  recorded.ip = 4;
  EXPECT_THAT(recorded.frames(),
              ElementsAre(Frame{4, CpuMode::user}, Frame{10, CpuMode::user}, Frame{20, CpuMode::user}));
  recorded.branches.clear();
  EXPECT_THAT(recorded.frames(), ElementsAre(Frame{4, CpuMode::user}));
}

TEST(CallchainFrames, TheNewestBranchsTargetIsTheLeafForPerf61) {
  Recorded recorded = with_branches({user_context, 2, 3});
  recorded.cpumode = CpuMode::user;
  recorded.ip = 4;
  EXPECT_THAT(recorded.frames(127, PerfStyle::perf_6_1),
              ElementsAre(Frame{11, CpuMode::user}, Frame{10, CpuMode::user}, Frame{20, CpuMode::user}));
}

// The kernel could not read the user's stack.
TEST(CallchainFrames, WithoutAUserEntryTheNewestBranchsTargetIsTheLeaf) {
  EXPECT_THAT(with_branches({kernel_context, 1, user_context}).frames(),
              ElementsAre(Frame{1, CpuMode::kernel}, Frame{11, CpuMode::user}, Frame{10, CpuMode::user},
                          Frame{20, CpuMode::user}));
}

}  // namespace
}  // namespace perfsift::analysis
