#include "symbolize/files/whole_file.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

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

  struct stat status;
  const bool has_size = fstat(file.get(), &status) == 0 && status.st_size > 0;
  constexpr std::size_t chunk = 1 << 16;  // of files that do not know their size, as in /proc
  std::string content(has_size ? static_cast<std::size_t>(status.st_size) + 1 : chunk, '\0');
  std::size_t size = 0;
  while (true) {
    const ssize_t got = read(file.get(), content.data() + size, content.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      why = Missing::file_unreadable;
      return std::nullopt;
    }
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
    if (size == content.size()) content.resize(2 * size);
  }
  content.resize(size);
  return content;
}

std::optional<std::string> read_whole_file(const std::string& path) {
  Missing ignored;
  return read_whole_file(path, ignored);
}

}  // namespace perfsift::symbolize
