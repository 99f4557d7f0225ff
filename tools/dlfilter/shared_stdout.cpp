#include "tools/dlfilter/shared_stdout.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "tools/output/output_file.h"
#include "tools/output/standard_output.h"

namespace perfsift::tools {
namespace {

[[noreturn]] void fail() {
  if (errno == EPIPE) throw OutputClosed();
  throw Error(std::string("standard output: cannot write: ") + std::strerror(errno));
}

}  // namespace

void SharedStdout::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail();
}

void SharedStdout::flush() {
  if (!flush_standard_output()) throw OutputClosed();
}

}  // namespace perfsift::tools
