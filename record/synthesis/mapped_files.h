// The build ids of files that processes have mapped.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "base/binary.h"
#include "record/synthesis/proc_maps.h"

namespace perfsift::record {

// Reads each file once, whatever number of processes maps it. Thread-safe.
class MappedFiles {
 public:
  MappedFiles();

  // The build id of the file of a mapping; empty if there is none, or if the file cannot be read. `process`: the folder
  // of the process in /proc, opened. A file that still has its name is opened by the name that the process knows, in
  // its container; a deleted file through /proc/PID/map_files, which needs privileges (CAP_CHECKPOINT_RESTORE). The id
  // of the vDSO is that of this process, which the kernel gives to all processes of 64 bits.
  BuildId build_id(int process, const ProcMapping& mapping);

 private:
  struct File {
    std::uint32_t device_major = 0, device_minor = 0;
    std::uint64_t inode = 0;
    auto operator<=>(const File&) const = default;
  };

  std::mutex mutex_;
  std::map<File, BuildId> known_;
  BuildId vdso_;
};

}  // namespace perfsift::record
