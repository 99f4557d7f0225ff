#include "tools/rings/ring_filter.h"

#include <fmt/format.h>

#include "base/error.h"
#include "filter/field.h"
#include "record/keep/live.h"
#include "record/keep/tracepoint_fields.h"

namespace perfsift::tools {
namespace {

constexpr const char* option = "--filter";

// Names of threads and control groups come from records that no such ring has.
bool is_in_no_ring(filter::Fact fact) { return fact == filter::Fact::comm || fact == filter::Fact::cgroup; }

}  // namespace

void check_ring_filter(const std::string& expression, const reader::EventAttr& attr) {
  const filter::Filter filter = filter::Filter::parse(expression, option);
  record::check_live(filter, expression, option);
  for (const filter::Field& field : filter::fields()) {
    if (!filter.uses(field.fact)) continue;
    const std::uint64_t needed = record::field_of(field.fact);
    if (is_in_no_ring(field.fact) || (needed & ~attr.sample_type) != 0)
      throw UsageError(fmt::format("{}: the map does not say the {} of a payload", option, field.name));
  }
}

std::unique_ptr<record::SampleKeeper> ring_filter(const std::string& expression, const FilteredPayloads& payloads,
                                                  const reader::TracepointFormats& formats) {
  record::EventRequest event;
  event.attr = payloads.attr;
  event.name = payloads.event_name;
  filter::Filter::parse(expression, option).check(record::RecordedTracepoints({event}, formats));
  const record::KeeperEvent kept{
      .attr = payloads.attr, .ids = payloads.ids, .name = payloads.event_name, .pmu = {}, .residual = expression};
  return std::make_unique<record::SampleKeeper>(std::vector{kept}, formats);
}

}  // namespace perfsift::tools
