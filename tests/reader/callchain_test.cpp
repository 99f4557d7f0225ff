#include "reader/callchain.h"

#include <tuple>
#include <vector>

#include <gmock/gmock.h>

namespace perfsift::reader {
namespace {

using Chain = std::vector<Unaligned<std::uint64_t>>;
using Frame = std::tuple<CpuMode, std::uint64_t, bool, std::uint64_t>;  // mode, note, return address, address
namespace context = callchain_context;
namespace note = callchain_note;

void append(const CallchainPart& part, std::vector<Frame>& frames) {
  bool return_address = !part.starts_a_call;
  for (const std::uint64_t address : part.addresses) {
    frames.emplace_back(part.mode, part.note, return_address, address);
    return_address = true;
  }
}

TEST(SplitLeaf, TheLeafIsTheFirstAddressWithItsModeAndNote) {
  const Chain chain{context::kernel, context::user, note::guessed, 0x10, 0x20};
  const SplitCallchain split = split_leaf(chain, CpuMode::kernel);
  EXPECT_EQ(split.leaf.mode, CpuMode::user);
  EXPECT_EQ(split.leaf.note, note::guessed);
  EXPECT_TRUE(split.leaf.starts_a_call);
  ASSERT_EQ(split.leaf.addresses.size(), 1u);
  EXPECT_EQ(split.leaf.addresses[0], 0x10u);
  ASSERT_EQ(split.callers.size(), 1u);
  EXPECT_EQ(split.callers[0], 0x20u);
}

TEST(SplitLeaf, CallchainsThatDifferOnlyInTheLeafHaveTheSameCallers) {
  const Chain one{context::user, 0x10, 0x20, 0x30}, other{context::user, 0x11, 0x20, 0x30};
  const Words a = split_leaf(one, CpuMode::user).callers, b = split_leaf(other, CpuMode::user).callers;
  EXPECT_TRUE(std::ranges::equal(a, b));
}

TEST(SplitLeaf, ACallchainWithoutFramesHasNoLeaf) {
  const Chain chains[] = {{}, {context::user}, {note::truncated}, {context::user_deferred, 0x10}};
  for (const Chain& chain : chains) {
    const SplitCallchain split = split_leaf(chain, CpuMode::user);
    EXPECT_TRUE(split.leaf.addresses.empty());
    EXPECT_EQ(is_noted_truncated(split.callers), is_noted_truncated(chain));
    for_each_part(split.callers, split.leaf, [](const CallchainPart&) { ADD_FAILURE() << "there are frames"; });
  }
}

TEST(SplitLeaf, LeafAndCallersAreTheFramesOfTheWhole) {
  const Chain chains[] = {
      {0x10},
      {0x10, 0x20, 0x30},
      {context::user, 0x10, 0x20},
      {context::kernel, 0x10, 0x20, context::user, 0x30, 0x40},
      {context::kernel, 0x10, context::user, 0x30, note::guessed, 0x40, note::repaired, 0x50, note::truncated},
      {note::guessed, 0x10, 0x20, note::found, 0x30},
      {context::kernel, note::repaired, 0x10, context::user, 0x20},
      {context::kernel, 0x10, context::user_deferred, 0x77},
      {context::user, 0x10, context::user, 0x20, 0x30},
  };
  for (const Chain& chain : chains) {
    std::vector<Frame> whole, parts;
    for_each_part(chain, CpuMode::kernel, [&](const CallchainPart& part) { append(part, whole); });
    const SplitCallchain split = split_leaf(chain, CpuMode::kernel);
    append(split.leaf, parts);
    for_each_part(split.callers, {.mode = split.leaf.mode, .note = split.leaf.note},
                  [&](const CallchainPart& part) { append(part, parts); });
    EXPECT_EQ(parts, whole);
  }
}

}  // namespace
}  // namespace perfsift::reader
