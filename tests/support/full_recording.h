// Small recordings that contain everything once, for tests that cut, change or fuzz recordings.
#pragma once

#include <string>
#include <vector>

#include "tests/support/recording_builder.h"

namespace perfsift::test {

// A recording with every record type, every field of a sample and every header feature. (COMPRESSED is missing.
// HEADER_ATTR and HEADER_FEATURE are only in pipe form.) Samples are in time order.
RecordingBuilder full_recording(ByteOrder order = ByteOrder::native);

// The full recording in parts. Each part has one sample with every field, so reading a part takes a tenth of the time.
struct NamedRecording {
  std::string name;
  RecordingBuilder recording;
};
std::vector<NamedRecording> parts_of_full_recording(ByteOrder order = ByteOrder::native);

// The events of a group are read together. A sample represents each member whose counter has changed.
RecordingBuilder recording_of_counters();

// Three samples in two COMPRESSED records. Each record has one sample and a half.
RecordingBuilder compressed_recording();
// The samples of compressed_recording() in COMPRESSED2 records, which are padded and have a field for the size of their
// data.
RecordingBuilder compressed2_recording();

// The output of `perf record --threads`: the file `data`, then data.0 and data.1. One of the two is compressed.
std::vector<std::vector<std::byte>> recording_of_threads();

// The content of a TRACING_DATA section with one tracepoint.
std::vector<std::byte> tracing_data(ByteOrder order);

}  // namespace perfsift::test
