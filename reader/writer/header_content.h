// What the header of a recording says, in the bytes that say it: to be changed here and there, and written again.
//
// In file form these are the attr table and the feature sections; in pipe form they come as records. Both hold the same
// payloads, so a recording read in one form can be written in the other.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "reader/recording.h"

namespace perfsift::reader {

struct EventEntry {
  std::vector<std::byte> attr;  // as long as its writer knew it
  std::vector<std::uint64_t> ids;
};

// Numbers inside attrs and features are in `order`.
struct HeaderContent {
  ByteOrder order = ByteOrder::native;
  bool from_records = false;  // it was read from the records of a pipe, which therefore say nothing that is not here
  std::vector<EventEntry> events;
  // By number. TRACING_DATA and BUILD_ID, which have record types of their own in pipe form, are features here.
  std::map<std::uint32_t, std::vector<std::byte>> features;
  // Pipe form: the number that marked the end of features, which is the first that its writer did not know; 0: none.
  std::uint32_t end_of_features = 0;
  std::vector<std::uint32_t> unreadable;  // features whose sections lie outside the file, and were left out

  std::vector<std::byte>& feature(Feature which) { return features[static_cast<std::uint32_t>(which)]; }
  bool has(Feature which) const { return features.contains(static_cast<std::uint32_t>(which)); }
  void drop(Feature which) { features.erase(static_cast<std::uint32_t>(which)); }
};

// Throws InputError for a stream: see Recording::visit_records().
HeaderContent header_content(const Recording& recording);

// Whether it is one of the records that make up the header of a recording in pipe form.
constexpr bool is_header_record(RecordType type) {
  return type == RecordType::header_attr || type == RecordType::header_feature ||
         type == RecordType::header_tracing_data || type == RecordType::header_build_id;
}

}  // namespace perfsift::reader
