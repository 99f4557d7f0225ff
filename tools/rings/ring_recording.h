// A recording of payloads: what perf script, perfsift script, filter, report and export read.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reader/writer/header_content.h"
#include "record/bpf/payload_format.h"
#include "record/bpf/payload_source.h"

namespace perfsift::tools {

// The header of a recording of the source's samples. With a format, they are those of a made tracepoint: see
// record/bpf/payload_format.h; nullptr: samples of the event bpf-output, whose raw data readers show as bytes.
// `command_line`: of this process, for CMDLINE.
reader::HeaderContent ring_recording_header(const record::PayloadSource& source, const record::PayloadFormat* format,
                                            const std::vector<std::string>& command_line);

// What runs already, for the names of threads and code: threads that start later have none. Nothing for a source whose
// samples have no threads.
void write_running(const record::PayloadSource& source, const std::function<void(Bytes records)>& take);

// "bpf-output" without a format.
std::string event_name_of(const record::PayloadFormat* format);

}  // namespace perfsift::tools
