// CGROUP records of all control groups.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reader/writer/records/encoded_record.h"

namespace perfsift::record {

// A record for the root and each folder below it, parents first. The number of a group is its file handle, as in
// samples (perf_event__synthesize_cgroup()); on a file system with longer handles, the inode. Groups that end meanwhile
// are left out.
std::vector<std::byte> cgroup_records(const std::string& root, const reader::Encoding& encoding);

}  // namespace perfsift::record
