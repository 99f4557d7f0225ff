// Copies of the records of a stream that wait for their delivery.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <unordered_set>

#include "base/byte_reader.h"

namespace perfsift::reader {

// Records lie one after the other in blocks; a block counts its records in use. A block's address is a multiple of its
// size, so the address of a record gives its block. Not thread-safe.
class RecordCopies {
 public:
  RecordCopies() = default;
  RecordCopies(const RecordCopies&) = delete;
  RecordCopies& operator=(const RecordCopies&) = delete;
  ~RecordCopies() {
    for (Block* block : blocks_) std::free(block);
  }

  // A copy of `record` (header included, at most 64 KiB).
  const std::byte* add(Bytes record) {
    if (current_ == nullptr || block_size - current_->used < record.size()) start_block();
    std::byte* copy = reinterpret_cast<std::byte*>(current_) + current_->used;
    std::memcpy(copy, record.data(), record.size());
    current_->used += (record.size() + 7) / 8 * 8;
    if (current_->used > block_size) current_->used = block_size;
    ++current_->in_use;
    return copy;
  }

  void drop(const std::byte* record) {
    auto* block = reinterpret_cast<Block*>(reinterpret_cast<std::uintptr_t>(record) & ~(block_size - 1));
    if (--block->in_use != 0 || block == current_) return;
    blocks_.erase(block);
    std::free(block);
  }

  // The memory in use, in blocks of a megabyte.
  std::size_t blocks() const { return blocks_.size(); }

 private:
  struct Block {
    std::size_t used = sizeof(Block);
    std::size_t in_use = 0;
  };
  static constexpr std::size_t block_size = std::size_t{1} << 20;

  void start_block() {
    if (current_ != nullptr && current_->in_use == 0) return void(*current_ = Block{});
    void* memory = std::aligned_alloc(block_size, block_size);
    if (memory == nullptr) throw std::bad_alloc();
    current_ = new (memory) Block;
    blocks_.insert(current_);
  }

  std::unordered_set<Block*> blocks_;
  Block* current_ = nullptr;  // being filled
};

}  // namespace perfsift::reader
