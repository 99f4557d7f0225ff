#include "tools/text_writer.h"

#include <cerrno>
#include <cstring>

#include <unistd.h>

#include "base/error.h"

namespace perfsift::tools {

void TextWriter::flush() {
  if (fd_ == keeps_all) return;
  std::string_view left = buffer_;
  while (!left.empty()) {
    const ssize_t written = ::write(fd_, left.data(), left.size());
    if (written >= 0) {
      left.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      throw OutputClosed();
    } else if (errno != EINTR) {
      throw Error(std::string("cannot write the output: ") + std::strerror(errno));
    }
  }
  buffer_.clear();
}

}  // namespace perfsift::tools
