// Which state of which file something was read from, and whose the file is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <sys/stat.h>

#include "base/owned.h"

namespace perfsift::symbolize {

// What the file system knows of a file. Contents, size, build id and the time of the last write can all be made to look
// like those of another file. Device and inode are this file's alone, and the kernel sets the time of the last change
// (of contents, owner, name or times) to its own clock at each change.
struct FileStamp {
  std::uint64_t device = 0, inode = 0, size = 0;
  std::int64_t written_ns = 0, changed_ns = 0;  // since 1970

  bool operator==(const FileStamp&) const = default;
  std::string words() const;  // "2049 1234 56789 1700000000000000000 1700000000000000000"
};

std::optional<FileStamp> stamp_of(const FileDescriptor& file);
std::optional<FileStamp> stamp_of(const std::string& path);

// A file and its state, for is_unchanged(). Nothing without a stamp.
std::optional<std::string> file_in_words(const std::string& path, const std::optional<FileStamp>& stamp);
// Whether the file that was put into words is still there as it was.
bool is_unchanged(std::string_view file_in_words);

// Whether the file is the user's or root's: perf's rule for what it reads from places where others write, too
// (perf_data and perf_config in tools/perf/util/).
bool is_own(const struct stat& status);
// Whether, besides, its group and others may not write to it.
bool is_own_alone(const struct stat& status);

}  // namespace perfsift::symbolize
