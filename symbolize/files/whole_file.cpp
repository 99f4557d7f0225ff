#include "symbolize/files/whole_file.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>

#include "base/whole_file.h"

namespace perfsift::symbolize {

FileDescriptor open_regular_file(const std::string& path, Missing& why) {
  FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) {
    why = errno == ENOENT || errno == ENOTDIR ? Missing::file_missing : Missing::file_unreadable;
    return file;
  }
  struct stat status;
  if (fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    why = Missing::file_unreadable;
    return FileDescriptor();
  }
  return file;
}

std::optional<std::string> read_whole_file(const std::string& path, Missing& why) {
  const FileDescriptor file = open_regular_file(path, why);
  if (!file) return std::nullopt;

  auto content = read_whole(file.get());
  if (!content) why = Missing::file_unreadable;
  return content;
}

std::optional<std::string> read_whole_file(const std::string& path) {
  Missing ignored;
  return read_whole_file(path, ignored);
}

}  // namespace perfsift::symbolize
