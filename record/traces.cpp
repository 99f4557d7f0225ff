#include "record/traces.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "base/error.h"
#include "record/events/trace_units.h"
#include "record/rings/aux_area.h"

namespace perfsift::record {

namespace {

namespace flag = reader::attr_flag;
namespace sample_bit = reader::sample_bit;

void refuse_second_of_pmu(const SessionPlan& plan, std::size_t index) {
  const EventRequest& event = plan.events[index];
  for (std::size_t before = 0; before < index; ++before) {
    // The hardware has one buffer on each CPU: the PMU is PERF_PMU_CAP_EXCLUSIVE (drivers/perf/arm_spe_pmu.c).
    if (plan.events[before].pmu == event.pmu)
      throw UsageError(fmt::format("{} and {}: {} writes one trace at a time, so name one event of it",
                                   plan.events[before].name, event.name, event.pmu));
  }
}

}  // namespace

bool records_traces(const SessionPlan& plan) {
  return std::ranges::any_of(plan.events, [](const EventRequest& event) { return event.trace.has_value(); });
}

void refuse_impossible_traces(const SessionPlan& plan) {
  for (std::size_t index = 0; index < plan.events.size(); ++index) {
    const EventRequest& event = plan.events[index];
    if (is_other_trace_unit(event.pmu))
      throw UsageError(
          fmt::format("{}: perfsift records AUX areas of arm_spe only: use perf record for {}", event.name, event.pmu));
    if (!event.trace) continue;
    refuse_second_of_pmu(plan, index);
    if (event.terms.overwrite.value_or(plan.rings.overwritten))
      throw UsageError(
          fmt::format("{}: an AUX area is not overwritten: record it without --overwrite and --flight, or "
                      "use perf record --snapshot",
                      event.name));
  }
}

// The kernel refuses a frequency (arm_spe_pmu_event_init()), because it would be known only after a buffer is full. The
// bits of sample_type say what the samples have that readers make of the trace; the hardware does not see them.
void configure_trace(reader::EventAttr& attr, const EventRequest& request, const SampleContent& content,
                     std::vector<std::string>& left_out) {
  const auto interval = request.terms.period ? request.terms.period : content.period;
  attr.set(flag::freq, false);
  attr.sample_period = interval.value_or(request.trace->interval);
  if (!interval && (request.terms.frequency || content.frequency))
    left_out.push_back(
        fmt::format("{}: every {} operations instead of a frequency, which SPE does not have: -c sets the "
                    "number",
                    request.name, attr.sample_period));
  // perf asks for times where a ring belongs to a CPU. Our sessions always have times, so the trace needs its own.
  attr.config |= request.trace->timestamps;
  attr.sample_type |= sample_bit::data_src;
  if ((attr.config & request.trace->physical_addresses) != 0) attr.sample_type |= sample_bit::phys_addr;
}

std::size_t aux_area_bytes(const RingPlan& plan, bool may_observe) {
  constexpr std::size_t privileged = std::size_t{4} << 20, unprivileged = std::size_t{128} << 10;
  constexpr std::size_t largest = std::size_t{1} << 30;
  const std::size_t usual = may_observe ? privileged : unprivileged;
  const std::size_t wanted = plan.aux_bytes == 0 ? usual : plan.aux_bytes;
  return std::bit_ceil(std::clamp(wanted, least_aux_bytes(), largest));
}

}  // namespace perfsift::record
