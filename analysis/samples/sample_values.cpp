#include "analysis/samples/sample_values.h"

#include <cstddef>

#include "facts/recorded_number.h"

namespace perfsift::analysis {

using filter::Fact;
using filter::Number;
using reader::Sample;

std::optional<Number> SampleValues::number(const Sample& sample, Fact fact) {
  if (fact == Fact::data_node) return data_node(sample);
  if (fact == Fact::socket) return socket(sample);
  return facts::recorded_number(sample, fact);
}

std::optional<Number> SampleValues::data_node(const Sample& sample) {
  if (!sample.knows(reader::sample_bit::phys_addr)) return std::nullopt;
  if (!nodes_) nodes_.emplace(features_);
  const std::optional<std::uint32_t> node = nodes_->of_physical(sample.phys_addr);
  return node ? std::optional(Number::of(*node)) : std::nullopt;
}

// machine__resolve() in tools/perf/util/event.c. Recordings of single threads have a topology, but no CPUs.
std::optional<Number> SampleValues::socket(const Sample& sample) const {
  if (!features_.cpu_topology || sample.cpu < 0) return std::nullopt;
  const auto& cpus = features_.cpu_topology->cpus;
  const auto cpu = static_cast<std::size_t>(sample.cpu);
  if (cpu >= cpus.size() || cpus[cpu].socket < 0) return std::nullopt;
  return Number::of(static_cast<std::uint64_t>(cpus[cpu].socket));
}

}  // namespace perfsift::analysis
