// The samples of a function by source line and by address.
//
// The samples of a function are those that were taken in its code. Code that the compiler inlined belongs to two
// functions: to the inlined one, whose source it is, and to the one around it, among whose instructions it lies. So a
// function has its own samples, which are its self amount in a report, and the samples in code that was inlined into
// it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "analysis/profile/profile.h"

namespace perfsift::analysis {

// Samples at one line of the source.
struct AnnotatedLine {
  std::string_view function;  // whose source it is
  std::string_view file;      // empty: not known
  std::uint32_t line = 0;     // 0: not known
  bool inlined = false;       // the function is another one, inlined into the annotated one
  Amount amount;
};

// A function of a binary, with the addresses of samples. It is the annotated function, or one that the annotated
// function was inlined into.
struct AnnotatedCode {
  std::string_view function;
  FrameKind kind = FrameKind::other;
  bool unnamed = false;                       // as FrameOrigin::unnamed
  FrameBinary binary;                         // an empty path: not known
  std::map<std::uint64_t, Amount> addresses;  // FrameOrigin::address
};

// The samples of one event.
struct Annotation {
  std::string_view event;
  Amount all;      // of the event
  Amount self;     // own samples
  Amount inlined;  // samples in code that was inlined into the function
  // Own lines first, by file and line; then those of inlined functions, by function, file and line. All amounts
  // together are self and inlined.
  std::vector<AnnotatedLine> lines;
  // The code by function and binary. All amounts together are self and inlined.
  std::vector<AnnotatedCode> code;
};

// One annotation for each event that has samples of the function, in the order of their names. The frames of the
// profile must have addresses (FrameDetail::address). The profile must live longer.
std::vector<Annotation> annotate(const Profile& profile, std::string_view function);

}  // namespace perfsift::analysis
