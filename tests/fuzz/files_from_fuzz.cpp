// A list of --files-from: its lines become paths, and the paths are noted as inputs of the run. The files are not read.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "output/files/run_files.h"
#include "tests/fuzz/memory_file.h"
#include "tools/reading_options.h"

using namespace perfsift;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const test::MemoryFile list({data, size});
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  tools::ReadingOptions reading;
  boost::program_options::options_description description("Options");
  reading.add_to(description);
  try {
    if (!options::parse({"--files-from", list.path()}, "Usage: fuzz\n", description, tools::ReadingOptions::positional))
      __builtin_trap();
    const std::vector<std::string> paths = reading.paths();
    if (paths.empty()) __builtin_trap();
    std::size_t length = 0;
    for (const std::string& path : paths) {
      if (path.empty() || text.find(path) == std::string_view::npos) __builtin_trap();
      length += path.size() + 1;
    }
    if (length > size + 1) __builtin_trap();
    output::RunFiles files;
    files.reads(paths);
    reading.note_files(files);
    files.refuse("/dev/null");
    reading.single_path();
  } catch (const Error&) {  // no path, or more than one
  }
  return 0;
}
