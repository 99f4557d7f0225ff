// The header of a recording as bytes, so that single parts can be changed and the header written again.
//
// In file form the header is the attr table and the feature sections; in pipe form the header is records. Both forms
// hold the same payloads, so a recording read in one form can be written in the other.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "reader/recording.h"

namespace perfsift::reader {

struct EventEntry {
  std::vector<std::byte> attr;  // as long as the writer of the recording knew the struct
  std::vector<std::uint64_t> ids;
};

// Numbers inside attrs and features have the byte order `order`.
struct HeaderContent {
  ByteOrder order = ByteOrder::native;
  bool from_records = false;  // the header was read from the records of a pipe, so those records repeat what is here
  std::vector<EventEntry> events;
  // The features by number, TRACING_DATA and BUILD_ID included, which have record types of their own in pipe form.
  std::map<std::uint32_t, std::vector<std::byte>> features;
  // Pipe form: the number that marked the end of features, the first number unknown to the writer; 0: no mark.
  std::uint32_t end_of_features = 0;
  std::vector<std::uint32_t> unreadable;  // features whose sections lie outside the file; they are left out

  std::vector<std::byte>& feature(Feature which) { return features[static_cast<std::uint32_t>(which)]; }
  bool has(Feature which) const { return features.contains(static_cast<std::uint32_t>(which)); }
  void drop(Feature which) { features.erase(static_cast<std::uint32_t>(which)); }
};

// Throws InputError for a stream: see Recording::visit_records().
HeaderContent header_content(const Recording& recording);

// Whether records of this type are part of the header of a recording in pipe form.
constexpr bool is_header_record(RecordType type) {
  return type == RecordType::header_attr || type == RecordType::header_feature ||
         type == RecordType::header_tracing_data || type == RecordType::header_build_id;
}

}  // namespace perfsift::reader
