// The rings of a session: which counter writes into which ring, and passes over all of them.
#pragma once

#include <cstddef>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "record/open_counters.h"
#include "record/rings/ring_reader.h"

namespace perfsift::record {

// Each CPU has a ring, or each thread where counters are bound to no CPU, and a second one if some of its events
// are overwritten. A ring has an AUX area if one of its counters writes a trace. Not thread-safe, but different rings
// may be drained by different threads, while others call counts().
class RingSet {
 public:
  struct Sizes {
    std::size_t ordinary = 0, overwritten = 0;  // bytes of each ring
    std::size_t aux = 0;                        // bytes of each AUX area
    bool operator==(const Sizes&) const = default;
  };
  // Maps the rings of `counters`, which must outlive them. Where the system does not grant so much locked memory, all
  // rings are made smaller, and `left_out` gets a sentence. Throws Error.
  RingSet(std::vector<OpenCounter>& counters, const std::vector<SessionEvent>& events, Sizes sizes,
          std::vector<std::string>& left_out);

  std::size_t size() const { return readers_.size(); }
  // The ring of a counter, by the counter's index.
  std::size_t ring_of(std::size_t counter) const { return rings_[counter]; }
  bool is_overwritten(std::size_t ring) const { return mapped_[ring].kind == Ring::Kind::overwritten; }

  // The rings that are not overwritten.
  const std::vector<std::size_t>& ordinary() const { return ordinary_; }

  void drain(RecordSink& sink) { drain(ordinary_, sink); }
  // One pass over some of the ordinary rings.
  void drain(std::span<const std::size_t> rings, RecordSink& sink);
  // Continues the counters that the kernel has stopped because their AUX area was full, as
  // auxtrace_record__read_finish() in tools/perf/util/auxtrace.c does. Only areas that the last drain() has emptied.
  void continue_traces(std::vector<OpenCounter>& counters);
  // See Ring::time_conversion().
  std::optional<reader::TimeConv> time_conversion() const { return readers_.front().ring().time_conversion(); }
  // See Session::copy_overwritten() and Session::give().
  std::vector<RingCopy> copy_overwritten() const;
  void give(std::vector<RingCopy> copies, RecordSink& sink);
  // See Session::resize_overwritten(). The counters are those of the constructor.
  bool resize_overwritten(std::vector<OpenCounter>& counters, std::size_t bytes);
  std::vector<RingFill> fills() const;
  std::vector<RingCounts> counts(const std::vector<OpenCounter>& counters) const;

 private:
  bool map_all(std::vector<OpenCounter>& counters, const std::vector<SessionEvent>& events, Sizes sizes);
  bool map_overwritten(std::vector<OpenCounter>& counters, std::size_t bytes);
  void share_rings(std::vector<OpenCounter>& counters, bool only_overwritten);
  void publish(std::span<const std::size_t> rings);
  std::string smaller_text(Sizes wanted, Sizes granted) const;

  struct MappedRing {
    std::size_t owner = 0;  // the counter for which it is mapped
    Place place;            // of its first counter
    Ring::Kind kind = Ring::Kind::ordinary;
    bool traced = false;  // whether it has an AUX area; its owner then writes the trace
  };

  std::vector<std::size_t> rings_;  // of each counter
  std::vector<MappedRing> mapped_;
  std::vector<std::size_t> ordinary_, overwritten_;  // rings by kind
  std::vector<std::size_t> tracing_;                 // the counters that write traces
  std::vector<RingReader> readers_;
  mutable std::mutex mutex_;        // of counts_
  std::vector<RingCounts> counts_;  // of each ring after its last pass
};

}  // namespace perfsift::record
