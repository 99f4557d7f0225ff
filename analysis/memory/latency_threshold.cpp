#include "analysis/memory/latency_threshold.h"

#include <algorithm>
#include <string_view>

#include "base/number_in.h"

namespace perfsift::analysis {
namespace {

using Kind = LatencyThreshold::Kind;

// The number after "ldlat=" in the name of an event. 0 if there is no number.
std::uint64_t threshold_in_name(std::string_view event) {
  constexpr std::string_view term = "ldlat=";
  const std::size_t at = event.find(term);
  if (at == std::string_view::npos) return 0;
  std::string_view number = event.substr(at + term.size());
  const bool is_hex = number.starts_with("0x");
  number.remove_prefix(is_hex ? 2 : 0);
  return take_number<std::uint64_t>(number, is_hex ? 16 : 10).value_or(0);
}

std::string_view pmu_of(const reader::Event& event, const reader::Features& features) {
  const auto pmu = std::ranges::find(features.pmu_mappings, event.attr.type, &reader::PmuMapping::type);
  return pmu != features.pmu_mappings.end() ? std::string_view(pmu->name) : std::string_view();
}

// Whether the event is MEM_TRANS_RETIRED.LOAD_LATENCY of big cores, or MEM_UOPS_RETIRED.LOAD_LATENCY of small cores.
// There `ldlat` is a number in config1 (intel_pmu_pebs_ldlat_format_attr in arch/x86/events/intel/core.c).
bool is_load_of_intel(const reader::Event& event, const reader::Features& features) {
  constexpr std::uint64_t event_and_mask = 0xffff, of_big_core = 0x1cd, of_small_core = 0x5d0;
  const std::uint64_t code = event.attr.config & event_and_mask;
  const bool intel = features.cpu_id.empty() || features.cpu_id.starts_with("GenuineIntel");
  const std::string_view pmu = pmu_of(event, features);
  const bool of_core = event.attr.type == reader::event_type::raw || pmu == "cpu_core" || pmu == "cpu_atom";
  return intel && of_core && (code == of_big_core || code == of_small_core);
}

LatencyThreshold threshold_of(const reader::Event& event, const reader::Features& features) {
  constexpr std::uint64_t bits_of_intel = 0xffff, bits_of_amd = 0xfff, bits_of_arm = 0xfff;
  if (event.ibs == reader::IbsUnit::op) return {Kind::misses, event.attr.config1 & bits_of_amd};
  if (pmu_of(event, features).starts_with("arm_spe")) return {Kind::all, event.attr.config2 & bits_of_arm};
  const bool numbered = is_load_of_intel(event, features) && event.attr.config1 != 0;
  return {Kind::loads, numbered ? event.attr.config1 & bits_of_intel : threshold_in_name(event.name)};
}

}  // namespace

std::optional<LatencyThreshold> latency_threshold(const reader::Event& event, const reader::Features& features) {
  constexpr std::uint64_t fastest = 4;  // no cache answers faster
  const LatencyThreshold threshold = threshold_of(event, features);
  return threshold.cycles >= fastest ? std::optional(threshold) : std::nullopt;
}

bool samples_l3_misses_only(const reader::Event& event) {
  constexpr unsigned l3_misses_only = 16;
  return event.ibs == reader::IbsUnit::op && (event.attr.config >> l3_misses_only & 1) != 0;
}

}  // namespace perfsift::analysis
