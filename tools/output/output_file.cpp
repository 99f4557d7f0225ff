#include "tools/output/output_file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"

namespace perfsift::tools {

OutputFile::OutputFile(const std::string& path) : path_(path.empty() ? "-" : path), fd_(STDOUT_FILENO) {
  if (path_ == "-") return;
  file_ = FileDescriptor(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file_) throw InputError(path + ": cannot write: " + std::strerror(errno));
  fd_ = file_.get();
}

bool OutputFile::write(std::string_view data) {
  while (!data.empty()) {
    const ssize_t written = ::write(fd_, data.data(), data.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EPIPE) return false;
    if (written < 0) throw InputError(path_ + ": cannot write: " + std::strerror(errno));
    data.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace perfsift::tools
