// Reads files whole. Files of /proc and /sys, which have no size and cannot be mapped, are read like any other.
#pragma once

#include <optional>
#include <string>

namespace perfsift {

// The rest of an open file; nothing if it cannot be read (errno says why).
std::optional<std::string> read_whole(int fd);

// The content of a file of this machine's kernel, or of the user's; nothing if it cannot be opened or read. Blocks on a
// pipe: for paths out of recordings, open the file first and test its kind.
std::optional<std::string> read_whole_file(const std::string& path);

}  // namespace perfsift
