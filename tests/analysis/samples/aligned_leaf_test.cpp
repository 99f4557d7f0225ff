#include "analysis/samples/aligned_leaf.h"

#include <gmock/gmock.h>

#include "reader/format/event.h"

namespace perfsift::analysis {
namespace {

namespace context = reader::callchain_context;
using reader::CpuMode;
using testing::ElementsAre;

// Functions of 100 bytes each. There are no symbols from 9000 on. Kernel addresses have separate functions.
FunctionAt function_at(CpuMode mode, std::uint64_t address, bool return_address) {
  const std::uint64_t looked_up = return_address ? address - 1 : address;
  const std::uint64_t kernel = mode == CpuMode::kernel ? 1000 : 0;
  if (looked_up >= 9000) return {.number = kernel + 1};
  return {.number = kernel + looked_up / 100, .named = true, .at_start = address % 100 == 0};
}

// The stack of a sample with this ip, if its interrupt has this callchain.
std::vector<std::uint64_t> aligned(CpuMode mode, std::uint64_t ip, std::vector<Unaligned<std::uint64_t>> callchain) {
  reader::Event event;
  event.attr.sample_type = reader::sample_bit::ip;
  reader::Sample sample;
  sample.event = &event;
  sample.cpumode = mode;
  sample.ip = ip;
  const reader::CallchainPart first = reader::split_leaf(callchain, mode).leaf;
  if (begins_at_ip(sample, callchain, first)) return {callchain.begin(), callchain.end()};
  std::vector<Unaligned<std::uint64_t>> copy{7, 7};
  const LeafAlignment how =
      align_leaf(sample, callchain, first, [](const FirstFrames& frames) { return leaf_place(frames, function_at); });
  apply(how, ip, callchain, copy);
  apply(how, ip, callchain, callchain);  // in place
  EXPECT_EQ(copy, callchain);
  return {copy.begin(), copy.end()};
}

TEST(AlignedLeaf, NothingMovesWhereIpAndCallchainAgree) {
  EXPECT_THAT(aligned(CpuMode::user, 510, {context::user, 510, 420, 330}), ElementsAre(context::user, 510, 420, 330));
  EXPECT_THAT(aligned(CpuMode::kernel, 510, {context::kernel, 510, context::user, 420}),
              ElementsAre(context::kernel, 510, context::user, 420));
}

TEST(AlignedLeaf, InTheSameFunctionTheIpReplacesTheAddress) {
  EXPECT_THAT(aligned(CpuMode::user, 510, {context::user, 520, 420, 330}), ElementsAre(context::user, 510, 420, 330));
  EXPECT_THAT(aligned(CpuMode::kernel, 510, {context::kernel, 520, 430, context::user, 20, 40}),
              ElementsAre(context::kernel, 510, 430, context::user, 20, 40));
}

TEST(AlignedLeaf, AFunctionEnteredAfterTheIpGoes) {
  EXPECT_THAT(aligned(CpuMode::user, 415, {context::user, 500, 420, 330}), ElementsAre(context::user, 415, 330));
  // After a jump back into an earlier part of the caller, the call is not the instruction before the return address.
  EXPECT_THAT(aligned(CpuMode::user, 490, {context::user, 500, 420, 330}), ElementsAre(context::user, 490, 330));
}

TEST(AlignedLeaf, AFunctionThatReturnedAfterTheIpIsCalledByTheFirstFrame) {
  EXPECT_THAT(aligned(CpuMode::user, 590, {context::user, 420, 330}), ElementsAre(context::user, 590, 420, 330));
}

TEST(AlignedLeaf, AFirstInstructionThatGetsACalleeKeepsTheNameOfItsFunction) {
  EXPECT_THAT(aligned(CpuMode::user, 590, {context::user, 400, 330}), ElementsAre(context::user, 590, 401, 330));
}

TEST(AlignedLeaf, AnIpOfTheKernelStandsBeforeUserCode) {
  EXPECT_THAT(aligned(CpuMode::kernel, 510, {context::user, 420, 330}), ElementsAre(510, context::user, 420, 330));
  EXPECT_THAT(aligned(CpuMode::kernel, 510, {}), ElementsAre(510));
}

TEST(AlignedLeaf, AKernelEnteredAfterAnIpOfUserCodeGoes) {
  EXPECT_THAT(aligned(CpuMode::user, 410, {context::kernel, 520, 430, context::user, 420, 330}),
              ElementsAre(context::user, 410, 330));
  EXPECT_THAT(aligned(CpuMode::user, 410, {context::kernel, 520, 430}), ElementsAre(410));
  EXPECT_THAT(aligned(CpuMode::user, 410, {context::kernel, 520, context::user_deferred, 1}),
              ElementsAre(410, context::user_deferred, 1));
}

TEST(AlignedLeaf, WithoutSymbolsABinaryIsOneFunctionUnlessTheIpIsTheCall) {
  EXPECT_THAT(aligned(CpuMode::user, 9500, {context::user, 9700, 9300}), ElementsAre(context::user, 9500, 9300));
  EXPECT_THAT(aligned(CpuMode::user, 9295, {context::user, 9700, 9300, 9200}), ElementsAre(context::user, 9295, 9200));
  EXPECT_THAT(aligned(CpuMode::user, 510, {context::user, 9700, 9300}), ElementsAre(context::user, 510, 9700, 9300));
}

TEST(AlignedLeaf, TheIpIsTheStackWhereTheCallchainHasNoFrame) {
  EXPECT_THAT(aligned(CpuMode::user, 510, {context::user}), ElementsAre(510, context::user));
}

TEST(AlignedLeaf, WhatTheGuestRanStandsBeforeTheStackOfTheHost) {
  EXPECT_THAT(aligned(CpuMode::guest_user, 510, {context::kernel, 520}), ElementsAre(510, context::kernel, 520));
}

}  // namespace
}  // namespace perfsift::analysis
