#include "record/keep/tracepoint_fields.h"

#include <algorithm>

#include <fmt/format.h>

#include "facts/tracepoint_value.h"
#include "record/events/tracepoints.h"
#include "record/machine/kernel_files.h"

namespace perfsift::record {

reader::TracepointFormats tracepoint_formats(const std::vector<EventRequest>& events, const EventSources& sources) {
  std::vector<reader::TracepointDescription> descriptions;
  for (const EventRequest& event : events) {
    const auto name = tracepoint_name(event);
    if (!name) continue;
    std::string text = text_of(fmt::format("{}/events/{}/{}/format", tracefs_of(sources), name->system, name->name));
    if (!text.empty()) descriptions.push_back({.system = name->system, .text = std::move(text)});
  }
  return reader::TracepointFormats::describe(descriptions);
}

std::optional<filter::Interval> range_of(const reader::TracepointField& field) {
  if (field.is_string || field.is_array || field.is_dynamic) return std::nullopt;
  if (field.size != 1 && field.size != 2 && field.size != 4 && field.size != 8) return std::nullopt;
  const std::size_t bits = 8 * field.size;
  const std::uint64_t highest = ~std::uint64_t{0} >> (64 - bits);
  if (!field.is_signed) return filter::Interval{.from = filter::Number::of(0), .until = filter::Number::of(highest)};
  const auto top = static_cast<std::int64_t>(highest >> 1);
  return filter::Interval{.from = filter::Number::of_signed(-top - 1), .until = filter::Number::of_signed(top)};
}

std::vector<filter::Interval> clipped(const filter::NumberSet& numbers, const filter::Interval& range) {
  std::vector<filter::Interval> parts;
  for (const filter::Interval& interval : numbers.intervals()) {
    const filter::Interval part{.from = std::max(interval.from, range.from),
                                .until = std::min(interval.until, range.until)};
    if (part.from <= part.until) parts.push_back(part);
  }
  return parts;
}

std::optional<bool> constant_answer(const filter::TracepointTest& test, const reader::TracepointField& field) {
  const bool holds_text = field.is_string || field.is_array || field.is_dynamic;
  const bool asks_text = !test.patterns().empty();
  if (asks_text) return holds_text || test.is_task_state() ? std::nullopt : std::optional(false);
  if (holds_text) return false;
  const auto range = range_of(field);
  if (!range || test.source().mask || test.set().has_shares()) return std::nullopt;
  const auto parts = clipped(test.set(), *range);
  if (parts.empty()) return !test.in();
  const bool is_all = parts.size() == 1 && parts[0].from == range->from && parts[0].until == range->until;
  return is_all ? std::optional(test.in()) : std::nullopt;
}

bool RecordedTracepoints::has(const filter::TracepointField& field) const {
  return std::ranges::any_of(events_, [&](const EventRequest& event) {
    if (event.attr.type != reader::event_type::tracepoint) return false;
    const reader::TracepointFormat* const format = format_of(event.attr, formats_);
    return format == nullptr || facts::find_field(*format, field) != nullptr;
  });
}

std::vector<std::string> RecordedTracepoints::all() const {
  std::vector<std::string> names;
  for (const reader::TracepointFormat& format : formats_.all()) {
    for (const reader::TracepointField& field : format.fields) names.push_back(field.name);
  }
  return names;
}

const reader::TracepointFormat* format_of(const reader::EventAttr& attr, const reader::TracepointFormats& formats) {
  return attr.type == reader::event_type::tracepoint ? formats.find(static_cast<std::int32_t>(attr.config)) : nullptr;
}

}  // namespace perfsift::record
