#include "tools/rewriting/recording_sink.h"

#include <sys/stat.h>

namespace perfsift::tools {

bool takes_pipe_form(const std::string& output) {
  if (output == OutputFile::standard_output) return true;
  struct stat status {};
  if (stat(output.c_str(), &status) != 0) return false;
  return S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) || S_ISCHR(status.st_mode);
}

}  // namespace perfsift::tools
