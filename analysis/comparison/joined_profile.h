// The stacks of two profiles in one profile, in which equal stacks of both profiles are equal.
//
// Addresses, lines and paths of a program differ from build to build, so frames of two recordings are never equal. Here
// two functions are equal if they have the same name, and their binaries have the same file name: see FunctionNames.
#pragma once

#include <cstddef>
#include <cstdint>

#include "analysis/profile/call_tree.h"
#include "analysis/profile/common_names.h"
#include "analysis/profile/profile.h"

namespace perfsift::analysis {

enum class Side : std::uint8_t { before, after };

// The rule for equal frames.
enum class SameFrame : std::uint8_t {
  name_and_binary,
  name,  // equal names, as in folded text
};

// Immutable, so thread-safe.
class JoinedProfile {
 public:
  JoinedProfile(const Profile& before, const Profile& after, SameFrame same, FunctionNames names);
  // Each side is some lists of one profile.
  struct Lists {
    std::size_t first = 0, end = 0;
  };
  JoinedProfile(const Profile& both, const Lists& before, const Lists& after, SameFrame same, FunctionNames names);

  const Profile& profile() const { return profile_; }
  // The amounts of one side, by node of a tree of profile().
  TreeAmounts amounts(const CallTree& tree, Side side) const;

 private:
  void add(const Profile& side, const Lists& lists, SameFrame same, FunctionNames names);

  Profile profile_;  // one list for each side
};

}  // namespace perfsift::analysis
