// What the labels of a pprof sample say.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/input/pprof_profile.h"

namespace perfsift::analysis {

// Of labels with the same key, the first one counts.
struct PprofLabelValues {
  // -1: there is no label with a number that fits.
  std::int32_t pid = -1, tid = -1, cpu = -1, run = -1, block = -1;
  // Empty: there is no label.
  std::string_view thread_comm, comm, cgroup, execution_mode;
};

// Not thread-safe. For samples of one profile, which must live longer.
class PprofLabelReader {
 public:
  PprofLabelValues read(const PprofSample& sample);
  // The labels of that sample that say something else. Times of single samples are not among them.
  const std::vector<PprofLabel>& others() const { return others_; }

 private:
  // The last label at a place: most samples have the same labels in the same order.
  struct KnownKey {
    std::string_view text;
    std::size_t field = 0;
  };

  std::size_t field_of(std::size_t place, std::string_view key);

  std::vector<KnownKey> keys_;
  std::vector<PprofLabel> others_;
};

}  // namespace perfsift::analysis
