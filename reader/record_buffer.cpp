#include "reader/record_buffer.h"

#include <algorithm>
#include <cstring>

namespace perfsift::reader {

void TransientBuffer::make_room(std::size_t size) {
  const Bytes kept = unread();
  if (begin_ != 0) std::memmove(memory_.data(), kept.data(), kept.size());
  end_ = kept.size();
  begin_ = 0;
  if (memory_.size() - end_ < size) memory_.resize(std::max(end_ + size, memory_.size() * 2));
  storage_ = memory_;
}

void LastingBuffer::make_room(std::size_t size) {
  constexpr std::size_t largest_block = std::size_t{64} << 20;
  const Bytes kept = unread();
  const auto next = blocks_.emplace_back(file_.extend(std::max(next_block_, kept.size() + size))).writable();
  next_block_ = std::min(next_block_ * 2, largest_block);
  if (!kept.empty()) std::memcpy(next.data(), kept.data(), kept.size());
  storage_ = next;
  begin_ = 0;
  end_ = kept.size();
}

}  // namespace perfsift::reader
