#include "tools/perf_to_profile.h"

#include <filesystem>
#include <string>

#include "base/error.h"
#include "tools/command.h"
#include "tools/temporary_folder.h"

namespace perfsift::tools {
namespace {

namespace fs = std::filesystem;

int export_to(const std::string& output, const std::string& input) {
  return run_command(*find_command("export"), {"--to", "pprof", "--lost-frames", "-o", output, input});
}

// pprof holds the output open while the converter runs, so that a new file in its place would not be seen.
int export_into(const std::string& output, const std::string& input) {
  const TemporaryFolder folder;
  const std::string whole = folder.file("profile.pb.gz");
  const int status = export_to(whole, input);
  std::error_code error;
  if (fs::exists(whole) && !fs::copy_file(whole, output, fs::copy_options::overwrite_existing, error))
    throw Error("'" + output + "': cannot be written: " + error.message());
  return status;
}

}  // namespace

int perf_to_profile(const options::Arguments& arguments) {
  std::string input, output;
  bool force = false, unaligned_code = false;
  options::po::options_description description("Options");
  auto add = description.add_options();
  add("input,i", options::po::value(&input)->value_name("FILE"), "the recording of perf record to read");
  add("output,o", options::po::value(&output)->value_name("FILE"), "the profile of pprof to write");
  add("force,f", options::po::bool_switch(&force), "replace the output if it exists");
  add("jit,j", options::po::bool_switch(&unaligned_code), "for code made at run time; changes nothing");
  if (!options::parse(arguments,
                      "Usage: perf_to_profile -i perf.data -o profile.pb.gz [-f]\n\nThis is perfsift: `perfsift export "
                      "--to pprof` has more options.\n",
                      description)) {
    return done;
  }
  if (input.empty() || output.empty()) throw UsageError("perf_to_profile needs -i FILE and -o FILE");
  std::error_code none;
  if (!fs::is_regular_file(output, none)) return export_to(output, input);
  if (!force) throw UsageError("'" + output + "': exists already; -f replaces its content");
  if (fs::equivalent(input, output, none)) throw UsageError("'" + output + "': is the input");
  return export_into(output, input);
}

}  // namespace perfsift::tools
