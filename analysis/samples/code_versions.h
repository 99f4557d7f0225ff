// When addresses of code that processes made while they ran came to mean something else.
//
// A just-in-time compiler reuses memory, so an address of its code has a name only together with a time. The jitdump
// tells the times; between two of them every address means the same. Such a stretch of time has a number, its code
// version, so that equal callchains of one version are still counted, and named, as one.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "reader/recording.h"
#include "symbolize/symbolizer.h"

namespace perfsift::analysis {

// What the numbers of versions need.
inline constexpr unsigned code_version_bits = 25;

// Immutable and safe to share between threads.
class CodeVersions {
 public:
  // Loads the jitdumps that the recording names. Times of a recording are compared with theirs only where both are
  // known to be of CLOCK_MONOTONIC (`perf record -k mono`); else there is one version, in which of all code at an
  // address the latest counts. So it is with a stream, as its jitdumps are still written while it is read.
  CodeVersions(const reader::Recording& recording, symbolize::Symbolizer& symbolizer);

  bool only_one() const { return changes_.empty(); }
  std::uint32_t at(std::uint64_t time) const;
  // A time in that version: what SymbolFile::find_at() is to be asked with.
  std::uint64_t time_in(std::uint32_t version) const;

  // What a user should know of a recording whose times cannot be compared; empty when there is nothing to say.
  std::string warning() const;

 private:
  std::vector<std::uint64_t> changes_;  // ascending; version i begins with change i-1
  std::size_t not_dated_ = 0;           // changes that nobody knows when they took effect in the recording
};

// Which version a stack is of. Not thread-safe; the timeline must be complete.
class CodeVersionFinder {
 public:
  CodeVersionFinder(const CodeVersions& versions, const reader::Timeline& timeline)
      : versions_(versions), timeline_(timeline) {}

  // 0 where no code can have changed: in address spaces without any that a jitdump tells of.
  std::uint32_t of(const reader::ThreadState& thread, std::uint64_t time) {
    return !versions_.only_one() && has_jit_dump(thread.maps) ? versions_.at(time) : 0;
  }

 private:
  bool has_jit_dump(reader::MapsVersion maps);

  const CodeVersions& versions_;
  const reader::Timeline& timeline_;
  std::unordered_map<reader::MapsVersion, bool> known_;
};

}  // namespace perfsift::analysis
