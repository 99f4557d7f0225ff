// Reads files whole. Files of /proc and /sys, which have no size and cannot be mapped, are read like any other.
#pragma once

#include <optional>
#include <string>

#include "base/owned.h"
#include "symbolize/files/missing.h"

namespace perfsift::symbolize {

// Opens a regular file for reading; a path of a recording may by now be a pipe or a device, which could block for ever.
// On failure, `why` has the reason (file_missing or file_unreadable).
FileDescriptor open_regular_file(const std::string& path, Missing& why);

std::optional<std::string> read_whole_file(const std::string& path, Missing& why);
std::optional<std::string> read_whole_file(const std::string& path);

}  // namespace perfsift::symbolize
