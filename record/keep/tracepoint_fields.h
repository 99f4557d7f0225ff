// The fields of tracepoints in an expression, and the descriptions of tracepoints in tracefs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "filter/filter.h"
#include "filter/predicates.h"
#include "reader/tracepoint.h"
#include "record/events/event_parser.h"
#include "record/events/event_request.h"

namespace perfsift::record {

// Reads the file `format` of each tracepoint among the events, which are found by their names ("sched:sched_switch").
// A file that cannot be read is left out.
reader::TracepointFormats tracepoint_formats(const std::vector<EventRequest>& events, const EventSources& sources);

// The numbers that a field can hold; nothing for a field that holds no single number.
std::optional<filter::Interval> range_of(const reader::TracepointField& field);
// The part of the numbers that the field can hold, ascending.
std::vector<filter::Interval> clipped(const filter::NumberSet& numbers, const filter::Interval& range);

// The answer that all samples with the field get: a number of another size, a text instead of a number. Nothing if
// the answer depends on the sample.
std::optional<bool> constant_answer(const filter::TracepointTest& test, const reader::TracepointField& field);

// The fields of the tracepoints that are recorded, for Filter::check().
class RecordedTracepoints : public filter::TracepointNames {
 public:
  RecordedTracepoints(const std::vector<EventRequest>& events, const reader::TracepointFormats& formats)
      : events_(events), formats_(formats) {}
  // True as well if the description of a tracepoint is unknown.
  bool has(const filter::TracepointField& field) const override;
  std::vector<std::string> all() const override;

 private:
  const std::vector<EventRequest>& events_;
  const reader::TracepointFormats& formats_;
};

// nullptr: the event is no tracepoint, or has no description.
const reader::TracepointFormat* format_of(const reader::EventAttr& attr, const reader::TracepointFormats& formats);

}  // namespace perfsift::record
