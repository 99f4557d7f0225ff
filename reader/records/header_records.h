// The header of a recording in pipe form, which comes as records: PERF_RECORD_HEADER_ATTR, HEADER_EVENT_TYPE,
// HEADER_TRACING_DATA, HEADER_FEATURE. (HEADER_BUILD_ID: decode_build_id() in reader/features.h. FINISHED_ROUND and
// FINISHED_INIT are marks in the stream; they hold nothing.)
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "reader/event.h"
#include "reader/record.h"

namespace perfsift::reader {

struct HeaderAttr {
  EventAttr attr;
  std::vector<std::uint64_t> ids;
};

// Deprecated, and of no use: the names of tracepoints before 2.6.38.
struct HeaderEventType {
  std::uint64_t id = 0;
  std::string_view name;  // in the record
};

struct HeaderTracingData {
  std::uint32_t size = 0;  // of the data, as the record says it
  Bytes data;              // record.trailing, or inside the record, as simpleperf writes it
};

struct HeaderFeature {
  std::uint64_t number = 0;  // Feature, as far as it is known
  Bytes data;                // in the record; as in the section of a file: see decode_feature()

  // The writer has no more features. Its number, the first that the writer does not know, may be one we know.
  bool last() const { return data.empty(); }
};

std::optional<HeaderAttr> decode_header_attr(const Record& record);
std::optional<HeaderEventType> decode_header_event_type(const Record& record);
std::optional<HeaderTracingData> decode_header_tracing_data(const Record& record);
std::optional<HeaderFeature> decode_header_feature(const Record& record);

}  // namespace perfsift::reader
