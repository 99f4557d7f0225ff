// The stacks of two profiles in one profile, in which equal stacks of both are equal.
//
// Addresses, lines and paths of a program differ from build to build, so that frames of two recordings are never equal.
// Here functions are the same function if they have the same name, and the same file name of their binary; see
// FunctionNames.
#pragma once

#include <cstddef>
#include <cstdint>

#include "analysis/profile/call_tree.h"
#include "analysis/profile/common_names.h"
#include "analysis/profile/profile.h"

namespace perfsift::analysis {

enum class Side : std::uint8_t { before, after };

// When two frames are the same.
enum class SameFrame : std::uint8_t {
  name_and_binary,
  name,  // as in folded text
};

// Immutable.
class JoinedProfile {
 public:
  JoinedProfile(const Profile& before, const Profile& after, SameFrame same, FunctionNames names);
  // The sides are lists of one profile.
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
