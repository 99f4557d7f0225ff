// The times at which addresses of code generated at run time changed their meaning.
//
// A just-in-time compiler reuses memory, so an address of its code has a name only together with a time. The jitdump
// has the times of the changes; between two changes no address changes its meaning. Each such interval has a number,
// the code version, so that equal callchains of one version are still counted and named as one.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "reader/recording.h"
#include "symbolize/symbolizer.h"

namespace perfsift::analysis {

// The number of bits that hold every code version.
inline constexpr unsigned code_version_bits = 25;

// Immutable and safe to share between threads.
class CodeVersions {
 public:
  // Loads the jitdumps that the recording names. The times of the recording and of the jitdumps are compared only where
  // both are known to be of CLOCK_MONOTONIC (`perf record -k mono`). Otherwise there is a single version, in which the
  // latest code at an address counts. A stream has a single version too, because its jitdumps are still being written
  // while the stream is read.
  CodeVersions(const reader::Recording& recording, symbolize::Symbolizer& symbolizer);

  bool only_one() const { return changes_.empty(); }
  std::uint32_t at(std::uint64_t time) const;
  // A time within that version, for SymbolFile::find_at().
  std::uint64_t time_in(std::uint32_t version) const;

  // A warning for the user when the times of the recording cannot be compared; otherwise empty.
  std::string warning() const;

 private:
  std::vector<std::uint64_t> changes_;  // ascending; version i begins with change i-1
  std::size_t not_dated_ = 0;           // changes without a usable timestamp
};

// Finds the code version of a stack. Not thread-safe; the timeline must be complete.
class CodeVersionFinder {
 public:
  CodeVersionFinder(const CodeVersions& versions, const reader::Timeline& timeline)
      : versions_(versions), timeline_(timeline) {}

  // 0 where no code can have changed: in address spaces without code from a jitdump.
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
