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
// are overwritten. Not thread-safe, but different rings may be drained by different threads, while others call
// counts().
class RingSet {
 public:
  struct Sizes {
    std::size_t ordinary = 0, overwritten = 0;  // bytes of each ring
    bool operator==(const Sizes&) const = default;
  };
  // Maps the rings of `counters`, which must outlive them. Where the system does not grant so much locked memory, all
  // rings are made smaller, and `left_out` gets a sentence. Throws Error.
  RingSet(std::vector<OpenCounter>& counters, const std::vector<SessionEvent>& events, Sizes sizes,
          std::vector<std::string>& left_out);

  std::size_t size() const { return readers_.size(); }
  // The ring of a counter, by the counter's index.
  std::size_t ring_of(std::size_t counter) const { return rings_[counter]; }
  bool is_overwritten(std::size_t ring) const { return kinds_[ring] == Ring::Kind::overwritten; }

  // The rings that are not overwritten.
  const std::vector<std::size_t>& ordinary() const { return ordinary_; }

  void drain(RecordSink& sink) { drain(ordinary_, sink); }
  // One pass over some of the ordinary rings.
  void drain(std::span<const std::size_t> rings, RecordSink& sink);
  void snapshot(RecordSink& sink);
  // See Session::resize_overwritten(). The counters are those of the constructor.
  bool resize_overwritten(std::vector<OpenCounter>& counters, std::size_t bytes);
  std::vector<RingFill> fills() const;
  std::vector<RingCounts> counts(const std::vector<OpenCounter>& counters) const;

 private:
  bool map_all(std::vector<OpenCounter>& counters, const std::vector<SessionEvent>& events, Sizes sizes);
  bool map_overwritten(std::vector<OpenCounter>& counters, std::size_t bytes);
  void share_rings(std::vector<OpenCounter>& counters, bool only_overwritten);
  void publish(std::span<const std::size_t> rings);

  std::vector<std::size_t> rings_;   // of each counter
  std::vector<std::size_t> owners_;  // the counter of each ring that was mapped
  std::vector<Ring::Kind> kinds_;
  std::vector<std::size_t> ordinary_, overwritten_;  // rings by kind
  std::vector<RingReader> readers_;
  mutable std::mutex mutex_;        // of counts_
  std::vector<RingCounts> counts_;  // of each ring after its last pass
};

}  // namespace perfsift::record
