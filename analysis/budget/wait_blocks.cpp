#include "analysis/budget/wait_blocks.h"

#include <utility>

namespace perfsift::analysis {
namespace {

constexpr std::size_t most_blocks = 64;
constexpr std::uint64_t first_width = std::uint64_t{1} << 16;  // 65 us

}  // namespace

void WaitBlocks::begin_recording() {
  first_block_ = blocks_.size();
  width_ = 0;
}

void WaitBlocks::add(std::uint64_t time, std::uint64_t length) {
  if (width_ == 0) first_time_ = time, width_ = first_width;
  const std::uint64_t since = time > first_time_ ? time - first_time_ : 0;
  while (since / width_ >= most_blocks) join_pairs();
  const std::size_t block = first_block_ + static_cast<std::size_t>(since / width_);
  if (block >= blocks_.size()) blocks_.resize(block + 1);
  blocks_[block].add(length);
}

void WaitBlocks::join_pairs() {
  width_ *= 2;
  std::vector<Distribution> joined((blocks_.size() - first_block_ + 1) / 2);
  for (std::size_t i = first_block_; i < blocks_.size(); ++i) joined[(i - first_block_) / 2].add(blocks_[i]);
  blocks_.resize(first_block_);
  for (Distribution& block : joined) blocks_.push_back(std::move(block));
}

}  // namespace perfsift::analysis
