// The numbers of samples of a recording: the sample's own ones, and those that follow from the machine's topology.
#pragma once

#include <optional>

#include "analysis/samples/memory_nodes.h"
#include "filter/sample_facts.h"
#include "reader/features/features.h"
#include "reader/format/sample.h"

namespace perfsift::analysis {

// Not thread-safe.
class SampleValues {
 public:
  // `features`: of the recording; must live longer.
  explicit SampleValues(const reader::Features& features) : features_(features) {}

  // Nothing where the number was not recorded, and for facts of names and of frames.
  std::optional<filter::Number> number(const reader::Sample& sample, filter::Fact fact);

 private:
  std::optional<filter::Number> data_node(const reader::Sample& sample);
  std::optional<filter::Number> socket(const reader::Sample& sample) const;

  const reader::Features& features_;
  std::optional<MemoryNodes> nodes_;  // made on first use
};

}  // namespace perfsift::analysis
