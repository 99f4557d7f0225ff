// Sides of a gate, made from numbers: stacks by name, and their samples in each block of each run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/gate/judge.h"

namespace perfsift::analysis::gate_test {

// Collects stacks, such as "main;f", and then runs.
class Sides {
 public:
  // A stack of functions of the binary "app", or of the binary after a '@'.
  std::uint32_t stack(const std::string& text) {
    const auto [known, is_new] = numbers_.try_emplace(text, static_cast<std::uint32_t>(numbers_.size()));
    if (is_new) {
      std::vector<FrameId> frames;
      for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(';', at), text.size());
        frames.push_back(frame(text.substr(at, end - at)));
        at = end + 1;
      }
      list_.add(event_, frames, {.samples = 1, .value = 1});
    }
    return known->second;
  }

  // By stack: the number of samples in each block.
  using Blocks = std::map<std::string, std::vector<std::uint64_t>>;
  void add(GateSide& side, const Blocks& blocks) {
    analysis::Run run{.name = "run" + std::to_string(side.runs.size())};
    for (const auto& [text, samples] : blocks) {
      run.blocks = static_cast<std::uint32_t>(samples.size());
      for (std::uint32_t block = 0; block < samples.size(); ++block) {
        if (samples[block] != 0)
          run.counts.push_back({.stack = stack(text), .block = block, .samples = samples[block]});
      }
    }
    side.runs.push_back(std::move(run));
  }
  // By stack: the number of samples in each of 64 blocks.
  using Samples = std::map<std::string, std::uint64_t>;
  void add_even(GateSide& side, const Samples& samples_in_a_block) {
    Blocks blocks;
    for (const auto& [text, samples] : samples_in_a_block) blocks[text].assign(TimeBlocks::count, samples);
    add(side, blocks);
  }

  Verdict judge(const Rules& rules = {}, const std::set<std::string, std::less<>>& allowed = {}) {
    const GateStacks stacks(profile_);
    const GateSide first = numbered(before, stacks), second = numbered(after, stacks);
    Verdict verdict = analysis::judge(stacks, first, second, "cycles", rules, allowed);
    conclude(verdict);
    return verdict;
  }

  GateSide before, after;

 private:
  // The side with the numbers that stacks have in a gate.
  static GateSide numbered(GateSide side, const GateStacks& stacks) {
    for (analysis::Run& run : side.runs) {
      for (BlockCount& count : run.counts) count.stack = stacks.stack_of(count.stack);
      std::ranges::sort(run.counts, {}, [](const BlockCount& count) { return std::pair(count.stack, count.block); });
    }
    return side;
  }

  FrameId frame(const std::string& text) {
    const std::size_t at = text.find('@');
    const std::string binary = "/bin/" + (at == std::string::npos ? std::string("app") : text.substr(at + 1));
    return profile_.frames().intern(
        text.substr(0, at),
        {.kind = FrameKind::user, .binary = profile_.frames().binary({.path = binary, .build_id = {}})});
  }

  Profile profile_;
  EventId event_ = profile_.event("cycles");
  StackList& list_ = profile_.new_list();
  std::map<std::string, std::uint32_t> numbers_;
};

}  // namespace perfsift::analysis::gate_test
