// The bytes of stacks, compared with a walk from each leaf to its root.

#include "output/pprof/stack_ids.h"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <protozero/varint.hpp>

#include "output/pprof/locations.h"

namespace perfsift::output {
namespace {

using analysis::CallTree;
using analysis::FrameId;
using analysis::Profile;

std::vector<std::uint64_t> decoded(std::string_view bytes) {
  std::vector<std::uint64_t> ids;
  const char* at = bytes.data();
  while (at != bytes.data() + bytes.size()) ids.push_back(protozero::decode_varint(&at, bytes.data() + bytes.size()));
  return ids;
}

std::vector<std::uint64_t> walked(const Locations& locations, CallTree::Node node) {
  std::vector<std::uint64_t> ids;
  for (; node != CallTree::root; node = locations.next(node)) ids.push_back(locations.location(node));
  return ids;
}

// Stacks of up to `depth` frames, some of them inlined into the frame before.
void add_random_stacks(std::size_t count, std::size_t depth, Profile& profile) {
  std::mt19937 random(3);
  analysis::StackList& list = profile.new_list();
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<FrameId> frames;
    const std::size_t size = 1 + random() % depth;
    for (std::size_t j = 0; j < size; ++j) {
      const auto name = random() % 3;
      // Frames at one address of one binary. Each frame except the first is inlined into the frame before.
      const bool inlined = j % 4 != 0 && random() % 2 == 0;
      frames.push_back(profile.frames().intern(std::to_string(name) + " of " + std::to_string(j),
                                               {.kind = analysis::FrameKind::user, .inlined = inlined, .address = 16}));
    }
    list.add(profile.event("cycles"), frames, {.samples = 1, .value = 1});
  }
}

void check(std::size_t count, std::size_t depth, bool shuffled) {
  Profile profile;
  add_random_stacks(count, depth, profile);
  const CallTree tree(profile, {.event_frames = false}, 1);
  const Locations locations(tree, "");
  std::vector<CallTree::Node> nodes;
  for (CallTree::Node node = 0; node < tree.size(); ++node) nodes.push_back(node);
  if (shuffled) std::ranges::shuffle(nodes, std::mt19937(5));
  StackIds ids(locations);
  for (const CallTree::Node node : nodes) ASSERT_EQ(decoded(ids.of(node)), walked(locations, node)) << node;
}

TEST(StackIds, AreThoseOfTheCallersInTheOrderOfTheTree) { check(500, 12, false); }

TEST(StackIds, AreThoseOfTheCallersInAnyOrder) { check(500, 12, true); }

TEST(StackIds, StacksMayBeOfAnyDepth) { check(20, 1000, true); }

}  // namespace
}  // namespace perfsift::output
