// Encoders of records about threads and their processes: see reader/records/process.h.
#pragma once

#include <cstddef>
#include <vector>

#include "reader/records/process.h"
#include "reader/writer/records/encoded_record.h"

namespace perfsift::reader {

std::vector<std::byte> encode_comm(const Comm& comm, const Encoding& encoding);
// `synthesised` becomes the mark that mappings of the parent are not copied.
std::vector<std::byte> encode_fork(const Task& task, const Encoding& encoding);
std::vector<std::byte> encode_exit(const Task& task, const Encoding& encoding);
std::vector<std::byte> encode_namespaces(const Namespaces& namespaces, const Encoding& encoding);
std::vector<std::byte> encode_cgroup(const Cgroup& cgroup, const Encoding& encoding);
// SWITCH_CPU_WIDE if the other thread is known, otherwise SWITCH.
std::vector<std::byte> encode_switch(const Switch& event, const Encoding& encoding);

}  // namespace perfsift::reader
