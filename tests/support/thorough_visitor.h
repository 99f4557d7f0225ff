// Reads everything that a recording gives out, so that a sanitizer finds every read of memory that must not be read.
//
// ```cpp
// ThoroughVisitor visitor(*recording);
// recording->visit_in_order(visitor);
// visitor.look_at_the_rest();
// ```
#pragma once

#include <cstdint>
#include <string_view>

#include "reader/recording.h"

namespace perfsift::test {

// A hash of everything that was read. So the compiler cannot drop the reads, and two visits can be compared.
class Digest {
 public:
  void number(std::uint64_t value) { value_ = (value_ ^ value ^ value_ >> 29) * 0x9e3779b97f4a7c15; }
  void text(std::string_view text);
  void bytes(Bytes bytes);
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

// Use one per thread. The recording must outlive the visitor.
class ThoroughVisitor : public reader::SampleVisitor, public reader::OrderedVisitor {
 public:
  explicit ThoroughVisitor(const reader::Recording& recording) : recording_(recording) {}

  void sample(const reader::Sample& sample) override;
  void record(const reader::Record& record, const reader::SampleId& id, reader::Moment moment) override;
  // Reads header features, events, timeline and counts. Must be called after the visit.
  void look_at_the_rest();

  std::uint64_t samples() const { return samples_; }
  // Covers all samples and the timeline's facts about them, in any order.
  std::uint64_t digest_of_samples() const { return digest_of_samples_; }
  // Covers all other contents.
  std::uint64_t digest_of_the_rest() const { return rest_.value(); }

 private:
  void look_at_code(const reader::Sample& sample, Digest& digest) const;

  const reader::Recording& recording_;
  std::uint64_t samples_ = 0;
  std::uint64_t digest_of_samples_ = 0;
  Digest rest_;
};

}  // namespace perfsift::test
