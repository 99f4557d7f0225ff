#include "analysis/budget/quality_measures.h"

#include <algorithm>

namespace perfsift::analysis {
namespace {

using filter::Quantity;

MeasuredValue percent_of(double percent, std::uint64_t of, const char* of_what, const char* if_none) {
  return of == 0 ? MeasuredValue::not_known(if_none) : MeasuredValue::exact(percent, of, of_what);
}

MeasuredValue percentage(Quantity quantity, const Quality& quality) {
  constexpr const char* no_stacks = "no callchain was recorded: record with perf record -g";
  switch (quantity) {
    case Quantity::truncated:
      return percent_of(quality.truncated_percent(), quality.callchains, "stacks", no_stacks);
    case Quantity::incomplete:
      return percent_of(quality.incomplete_percent(), quality.callchains, "stacks", no_stacks);
    case Quantity::unresolved:
      return percent_of(quality.unresolved_percent(), quality.frames, "frames", "no frame was recorded");
    default:
      return percent_of(
          std::max({quality.lost_records_percent(), quality.lost_samples_percent(), quality.skipped_percent()}),
          quality.kernel_records + quality.other_lost_records() + quality.lost_samples, "records",
          "there is no record");
  }
}

}  // namespace

MeasuredValue measure_quality(const filter::Assertion& assertion, const std::vector<Run>& runs) {
  std::uint64_t samples = 0, throttled = 0;
  Quality all;
  const Run* unknown = nullptr;
  for (const Run& run : runs) {
    samples += run.samples();
    throttled += run.throttled;
    run.quality ? all.add(*run.quality) : static_cast<void>(unknown = &run);
  }
  if (assertion.quantity == Quantity::samples) {
    return MeasuredValue::exact(static_cast<double>(samples), samples, "samples");
  }
  if (unknown != nullptr) return MeasuredValue::not_known(unknown->name + " does not say what was lost or cut");
  if (assertion.quantity == Quantity::throttled) {
    return MeasuredValue::exact(static_cast<double>(throttled), samples, "samples");
  }
  return percentage(assertion.quantity, all);
}

}  // namespace perfsift::analysis
