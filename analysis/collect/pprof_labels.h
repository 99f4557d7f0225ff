// The meaning of the labels of a pprof sample.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/input/pprof_profile.h"

namespace perfsift::analysis {

// The values of known labels. If several labels have the same key, the first counts.
struct PprofLabelValues {
  // -1: the sample has no such label, or its number does not fit.
  std::int32_t pid = -1, tid = -1, cpu = -1, run = -1, block = -1;
  // Empty: the sample has no such label.
  std::string_view thread_comm, comm, cgroup, execution_mode;
};

// Reads the labels of samples of one profile, which must live longer. Not thread-safe.
class PprofLabelReader {
 public:
  PprofLabelValues read(const PprofSample& sample);
  // The last read sample's labels without a known meaning, except times of single samples.
  const std::vector<PprofLabel>& others() const { return others_; }

 private:
  // The last label at a place in a sample: most samples have the same labels in the same order.
  struct KnownKey {
    std::string_view text;
    std::size_t field = 0;
  };

  std::size_t field_of(std::size_t place, std::string_view key);

  std::vector<KnownKey> keys_;
  std::vector<PprofLabel> others_;
};

}  // namespace perfsift::analysis
