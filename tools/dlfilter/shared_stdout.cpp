#include "tools/dlfilter/shared_stdout.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "output/files/output_file.h"
#include "output/files/standard_output.h"

namespace perfsift::tools {
namespace {

[[noreturn]] void fail() {
  if (errno == EPIPE) throw output::OutputClosed();
  throw Error(std::string("standard output: cannot write: ") + std::strerror(errno));
}

}  // namespace

void SharedStdout::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail();
}

void SharedStdout::flush() {
  if (!output::flush_standard_output()) throw output::OutputClosed();
}

}  // namespace perfsift::tools
