// Sums of equal stacks over many profiles.
//
// A Profile keeps stacks as they are added. Thousands of recordings of one program repeat the same stacks. So memory
// here grows with the number of distinct stacks, not with the number of recordings.
#pragma once

#include <cstddef>
#include <span>
#include <unordered_set>
#include <vector>

#include "analysis/profile/profile.h"

namespace perfsift::analysis {

// Not thread-safe; several StackSums may add to one profile.
class StackSums {
 public:
  // Adds to a new list of `total`, which must live as long as this object.
  explicit StackSums(Profile& total);
  StackSums(const StackSums&) = delete;
  StackSums& operator=(const StackSums&) = delete;

  void add(const Profile& part);
  // Adds a stack, root first. Events and frames belong to `total`.
  void add(EventId event, std::span<const FrameId> frames, const Amount& amount);

 private:
  struct Stack {
    EventId event = 0;
    std::span<const FrameId> callers;
    FrameId leaf = 0;
  };
  // The set stores indices of stacks in the list. Look-ups compare the stacks.
  struct Hash {
    using is_transparent = void;
    const StackSums& sums;
    std::size_t operator()(std::size_t entry) const { return (*this)(sums.stack_of(entry)); }
    std::size_t operator()(const Stack& stack) const;
  };
  struct Equal {
    using is_transparent = void;
    const StackSums& sums;
    bool operator()(std::size_t a, std::size_t b) const { return a == b; }
    bool operator()(const Stack& a, std::size_t b) const;
    bool operator()(std::size_t a, const Stack& b) const { return (*this)(b, a); }
  };

  Stack stack_of(std::size_t entry) const;
  void add(const Stack& stack, const Amount& amount);

  Profile& total_;
  StackList& list_;
  std::unordered_set<std::size_t, Hash, Equal> entries_;
};

}  // namespace perfsift::analysis
