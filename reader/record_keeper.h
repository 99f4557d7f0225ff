// Keeps copies of records of a stream until they are delivered, in memory that goes as they go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <unordered_set>

#include "base/byte_reader.h"

namespace perfsift::reader {

// Records lie one after the other in blocks that count what is still needed in them. A block's address is a multiple
// of its size, so the block of a record is found from its address. Not thread-safe.
class RecordKeeper {
 public:
  RecordKeeper() = default;
  RecordKeeper(const RecordKeeper&) = delete;
  RecordKeeper& operator=(const RecordKeeper&) = delete;
  ~RecordKeeper() {
    for (Block* block : blocks_) std::free(block);
  }

  // A copy of `record` (header included, at most 64 KiB).
  const std::byte* keep(Bytes record) {
    if (current_ == nullptr || block_size - current_->used < record.size()) start_block();
    std::byte* copy = reinterpret_cast<std::byte*>(current_) + current_->used;
    std::memcpy(copy, record.data(), record.size());
    current_->used += (record.size() + 7) / 8 * 8;
    if (current_->used > block_size) current_->used = block_size;
    ++current_->kept;
    return copy;
  }

  void release(const std::byte* record) {
    auto* block = reinterpret_cast<Block*>(reinterpret_cast<std::uintptr_t>(record) & ~(block_size - 1));
    if (--block->kept != 0 || block == current_) return;
    blocks_.erase(block);
    std::free(block);
  }

  // How much memory it holds, in blocks of a megabyte.
  std::size_t blocks() const { return blocks_.size(); }

 private:
  struct Block {
    std::size_t used = sizeof(Block);
    std::size_t kept = 0;
  };
  static constexpr std::size_t block_size = std::size_t{1} << 20;

  void start_block() {
    if (current_ != nullptr && current_->kept == 0) return void(*current_ = Block{});
    void* memory = std::aligned_alloc(block_size, block_size);
    if (memory == nullptr) throw std::bad_alloc();
    current_ = new (memory) Block;
    blocks_.insert(current_);
  }

  std::unordered_set<Block*> blocks_;
  Block* current_ = nullptr;  // being filled
};

}  // namespace perfsift::reader
