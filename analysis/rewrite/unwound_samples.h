// Samples whose copies of stacks become callchains: the recording then needs no binaries for its stacks, and has no
// copies of memory any more.
//
// A changed sample keeps its fields, but has no user registers and a user stack of size 0. Its callchain is the whole
// stack, with the markers of perfsift (reader::callchain_note); the last one says where the stack ends.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "reader/event_table.h"
#include "reader/format/sample.h"
#include "reader/recording.h"
#include "symbolize/symbolizer.h"

namespace perfsift::analysis {

// Not thread-safe. The recording must live longer.
class UnwoundSamples {
 public:
  // Visits the recording, with `threads` threads, if any of its events copies stacks.
  UnwoundSamples(reader::Recording& recording, symbolize::Symbolizer& symbolizer, unsigned threads);

  // Whether there are stacks to be replaced.
  bool any() const { return !words_.empty(); }
  // The record to write in place of `record`, which lives until the next call; `record` itself if nothing changes.
  const reader::Record& of(const reader::Record& record);

 private:
  class Visitor;

  reader::EventTable events_;
  reader::SampleDecoder decoder_;
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> words_;  // callchains, by the position of the sample
  std::vector<std::byte> bytes_;                                         // of changed_
  reader::Record changed_;
};

}  // namespace perfsift::analysis
