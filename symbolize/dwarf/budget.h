// A bound for the work that a section may cause.
//
// DWARF refers from many places to lists, tables and programs elsewhere. A sound file refers to each of them about
// once, so that all reading together is as long as the section; a hostile one refers a million times to the same
// million entries. Readers pay from a budget that a sound file never uses up.
#pragma once

#include <atomic>
#include <cstdint>

namespace perfsift::symbolize::dwarf {

// Thread-safe.
class Budget {
 public:
  explicit Budget(std::uint64_t bytes) : left_(static_cast<std::int64_t>(bytes)) {}
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  // False once the budget is used up.
  bool pay(std::uint64_t bytes) {
    if (left_.load(std::memory_order_relaxed) < 0) return false;
    return left_.fetch_sub(static_cast<std::int64_t>(bytes), std::memory_order_relaxed) >=
           static_cast<std::int64_t>(bytes);
  }

 private:
  std::atomic<std::int64_t> left_;
};

}  // namespace perfsift::symbolize::dwarf
