// Adds up equal stacks of many profiles.
//
// A Profile keeps stacks as they come. Of thousands of recordings of one program that is thousands of times the same,
// so here what is kept grows with the distinct stacks and not with the recordings.
#pragma once

#include <cstddef>
#include <span>
#include <unordered_set>
#include <vector>

#include "analysis/profile/profile.h"

namespace perfsift::analysis {

// Not thread-safe; several may add to one profile.
class StackSums {
 public:
  // What is added goes into a list of `total`, which must live as long as this does.
  explicit StackSums(Profile& total);
  StackSums(const StackSums&) = delete;
  StackSums& operator=(const StackSums&) = delete;

  void add(const Profile& part);
  // A stack of `total`'s own events and frames, root first.
  void add(EventId event, std::span<const FrameId> frames, std::uint64_t value);

 private:
  struct Stack {
    EventId event = 0;
    std::span<const FrameId> callers;
    FrameId leaf = 0;
  };
  // Stacks are known by their place in the list, and looked up by what they are.
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
  void add(const Stack& stack, std::uint64_t value);

  Profile& total_;
  StackList& list_;
  std::unordered_set<std::size_t, Hash, Equal> entries_;
};

}  // namespace perfsift::analysis
