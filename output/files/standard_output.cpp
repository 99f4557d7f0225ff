#include "output/files/standard_output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "base/error.h"

namespace perfsift::output {
namespace {

// The error of standard output; 0 if stdio has reported it before, for an earlier write.
int flush_error() {
  errno = 0;
  std::cout.flush();
  const bool flushed = std::fflush(stdout) == 0;
  if (flushed && std::cout.good() && std::ferror(stdout) == 0) return -1;
  return flushed ? 0 : errno;
}

bool nobody_reads() {
  pollfd output{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  return poll(&output, 1, 0) == 1 && (output.revents & (POLLERR | POLLHUP)) != 0;
}

}  // namespace

bool flush_standard_output() {
  int error = flush_error();
  if (error == -1) return true;
  std::clearerr(stdout);
  std::cout.clear();
  if (error == EPIPE || nobody_reads()) return false;
  if (error == 0 && ::write(STDOUT_FILENO, "", 0) < 0) error = errno;  // devices report the error again
  throw Error(std::string("standard output: cannot write") + (error == 0 ? "" : ": ") +
              (error == 0 ? "" : std::strerror(error)));
}

void fill_closed_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    // open() takes the lowest free number: this descriptor.
    static_cast<void>(open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY));
  }
}

}  // namespace perfsift::output
