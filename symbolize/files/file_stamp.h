// The identity, the state, and the owner of a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <sys/stat.h>

#include "base/owned.h"

namespace perfsift::symbolize {

// The file system's facts about a file. Contents, size, build id and the time of the last write can all be made to look
// like those of another file. Device and inode belong to one file alone, and the kernel sets the time of the last
// change (of contents, owner, name or times) to its own clock at each change.
struct FileStamp {
  std::uint64_t device = 0, inode = 0, size = 0;
  std::int64_t written_ns = 0, changed_ns = 0;  // since 1970

  bool operator==(const FileStamp&) const = default;
  std::string words() const;  // "2049 1234 56789 1700000000000000000 1700000000000000000"
};

std::optional<FileStamp> stamp_of(const FileDescriptor& file);
std::optional<FileStamp> stamp_of(const std::string& path);

// Whether a recording names the file by the inode that stat() gives. On overlayfs the kernel records the inode of the
// layer that holds the file (ovl_open_realfile()), while stat() may give another one.
bool has_recorded_inode(const std::string& path);

// The generation of the file's inode, by which files that had the same inode one after the other differ. Nothing if the
// file system has none.
std::optional<std::uint32_t> inode_generation(const std::string& path);

// A file and its state as text, for is_unchanged(). Nothing without a stamp.
std::optional<std::string> file_in_words(const std::string& path, const std::optional<FileStamp>& stamp);
// Whether the file still exists in the state that file_in_words() noted.
bool is_unchanged(std::string_view file_in_words);

// Whether the file belongs to this user or to root: perf's rule for files in places where other users write, too
// (perf_data and perf_config in tools/perf/util/).
bool is_own(const struct stat& status);
// Whether, in addition, its group and others may not write to the file.
bool is_own_alone(const struct stat& status);

}  // namespace perfsift::symbolize
