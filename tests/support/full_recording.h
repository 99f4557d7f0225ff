// Recordings that are small and yet hold one of everything: to be cut, changed and fuzzed.
#pragma once

#include <string>
#include <vector>

#include "tests/support/recording_builder.h"

namespace perfsift::test {

// Every type of record (but COMPRESSED, and HEADER_ATTR and HEADER_FEATURE where the form of the recording does not
// make them), every field of a sample, every header feature. Samples are in the order of their times.
RecordingBuilder full_recording(ByteOrder order = ByteOrder::native);

// The same in parts, each with one sample that has every field: reading one of them takes a tenth of the time.
struct NamedRecording {
  std::string name;
  RecordingBuilder recording;
};
std::vector<NamedRecording> parts_of_full_recording(ByteOrder order = ByteOrder::native);

// The events of a group read together: a sample stands for each member that has moved.
RecordingBuilder recording_of_counters();

// Three samples in two COMPRESSED records, one and a half in each.
RecordingBuilder compressed_recording();
// The same in COMPRESSED2 records, which are padded and say how much of them is data.
RecordingBuilder compressed2_recording();

// What `perf record --threads` leaves: the file `data`, and data.0 and data.1, one of them compressed.
std::vector<std::vector<std::byte>> recording_of_threads();

// The content of the TRACING_DATA section of such a recording, with one tracepoint.
std::vector<std::byte> tracing_data(ByteOrder order);

}  // namespace perfsift::test
