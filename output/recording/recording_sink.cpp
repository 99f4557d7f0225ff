#include "output/recording/recording_sink.h"

#include <sys/stat.h>

namespace perfsift::output {

bool takes_pipe_form(const std::string& output) {
  if (OutputFile::is_standard_output(output)) return true;
  struct stat status {};
  if (stat(output.c_str(), &status) != 0) return false;
  return S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) || S_ISCHR(status.st_mode);
}

mode_t mode_of_recording_from(const std::string& input) {
  constexpr mode_t owner = 0600;
  struct stat status {};
  const auto is_file = [&](const std::string& path) {
    return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
  };
  const bool known = is_file(input) || is_file(input + "/data");  // of a directory of perf record --threads
  return known ? owner | (status.st_mode & 0666) : owner;
}

}  // namespace perfsift::output
