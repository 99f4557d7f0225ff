// perfsift: see program.h.

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string_view>

#include "base/path.h"
#include "output/files/standard_output.h"
#include "output/files/unfinished_files.h"
#include "tools/command.h"
#include "tools/perf_to_profile.h"
#include "tools/program.h"
#include "tools/shorter_inputs.h"
#include "tools/version_text.h"

namespace perfsift {
// The commit that this program was built from: cmake/write_commit.cmake. Only this program is linked again when it
// changes.
extern const char* const commit;
}  // namespace perfsift

int main(int argc, char** argv) {
  using namespace perfsift;
  output::fill_closed_descriptors();
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is found when writing
  output::remove_unfinished_files_on_signals();
  tools::end_at_shorter_inputs();
  const options::Arguments arguments(argv + std::min(argc, 1), argv + argc);
  return tools::with_errors_told([&]() -> int {
    if (argc > 0 && base_name(argv[0]) == tools::perf_to_profile_name) return tools::perf_to_profile(arguments);
    const std::string_view first = arguments.empty() ? std::string_view() : arguments.front();
    if (first == "--version" || first == "-V") {
      return std::fputs(tools::version_text(commit).c_str(), stdout), tools::done;
    }
    return tools::run_program(arguments);
  });
}
