#include "record/keep/live_facts.h"

#include "facts/recorded_number.h"
#include "facts/tracepoint_value.h"

namespace perfsift::record {

using filter::Fact;
namespace bit = reader::sample_bit;

LiveFacts::LiveFacts(const filter::Filter& filter, LiveWorld& world, const reader::TracepointFormats& formats,
                     const reader::TracepointFormat* format)
    : world_(world), formats_(formats), texts_(filter.tracepoint_fields().size()) {
  for (const filter::TracepointField& field : filter.tracepoint_fields()) {
    fields_.push_back(format != nullptr ? facts::find_field(*format, field) : nullptr);
  }
}

std::optional<filter::Number> LiveFacts::number(Fact fact) { return facts::recorded_number(*sample_, fact); }

std::optional<std::string_view> LiveFacts::text(Fact fact) {
  if (fact == Fact::event) return sample_->event->name;
  if (fact == Fact::comm && sample_->has(bit::tid)) return world_.threads.at(sample_->tid, sample_->time);
  if (fact != Fact::cgroup || !sample_->has(bit::cgroup)) return std::nullopt;
  const auto known = world_.cgroups.find(sample_->cgroup);
  return known != world_.cgroups.end() ? filter::if_any(known->second) : std::nullopt;
}

filter::TracepointValue LiveFacts::tracepoint(std::size_t field) {
  const reader::TracepointField* const found = fields_[field];
  if (found == nullptr || !sample_->has(bit::raw)) return {};
  return facts::tracepoint_value(formats_, *found, sample_->raw, texts_[field]);
}

}  // namespace perfsift::record
