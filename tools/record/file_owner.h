// To whom recordings belong, and who may read them.
#pragma once

#include <optional>

#include <sys/types.h>

namespace perfsift::tools {

inline constexpr mode_t mode_of_recordings = 0600;  // recordings have what users type and compute
inline constexpr mode_t mode_of_recording_folders = 0700;

struct FileOwner {
  uid_t user = 0;
  gid_t group = 0;
};

// The user who has called sudo. Nothing: this process does not run as root, or not by sudo.
std::optional<FileOwner> user_of_sudo();

}  // namespace perfsift::tools
