#include "base/whole_file.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/owned.h"

namespace perfsift {

std::optional<std::string> read_whole(int fd) {
  struct stat status;
  const bool has_size = fstat(fd, &status) == 0 && status.st_size > 0;
  constexpr std::size_t chunk = 1 << 16;  // of files that do not know their size, as in /proc
  std::string content(has_size ? static_cast<std::size_t>(status.st_size) + 1 : chunk, '\0');
  std::size_t size = 0;
  while (true) {
    const ssize_t got = read(fd, content.data() + size, content.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
    if (size == content.size()) content.resize(2 * size);
  }
  content.resize(size);
  return content;
}

std::optional<std::string> read_whole_file(const std::string& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return file ? read_whole(file.get()) : std::nullopt;
}

}  // namespace perfsift
