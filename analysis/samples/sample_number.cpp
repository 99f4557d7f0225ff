#include "analysis/samples/sample_number.h"

#include <cstddef>

#include "analysis/samples/recorded_number.h"

namespace perfsift::analysis {
namespace {

using filter::Fact;

// machine__resolve() in tools/perf/util/event.c. Recordings of single threads have a topology, but no CPUs.
std::optional<std::uint64_t> socket_of(const reader::Sample& sample, const reader::Features& features) {
  if (!features.cpu_topology || sample.cpu < 0) return std::nullopt;
  const auto& cpus = features.cpu_topology->cpus;
  const auto cpu = static_cast<std::size_t>(sample.cpu);
  if (cpu >= cpus.size() || cpus[cpu].socket < 0) return std::nullopt;
  return static_cast<std::uint64_t>(cpus[cpu].socket);
}

Fact fact_of(SampleNumber number) {
  switch (number) {
    case SampleNumber::local_weight:
      return Fact::weight;
    case SampleNumber::local_ins_lat:
      return Fact::ins_lat;
    case SampleNumber::local_p_stage_cyc:
      return Fact::p_stage_cyc;
    case SampleNumber::code_page_size:
      return Fact::code_page_size;
    case SampleNumber::transaction:
      return Fact::transaction;
    default:
      return Fact::ip;
  }
}

}  // namespace

std::optional<std::uint64_t> number_of(SampleNumber number, const reader::Sample& sample,
                                       const reader::Features& features) {
  if (number == SampleNumber::socket) return socket_of(sample, features);
  const std::optional<filter::Number> recorded = recorded_number(sample, fact_of(number));
  return recorded ? std::optional(recorded->bits) : std::nullopt;
}

}  // namespace perfsift::analysis
