#include "tools/reading_options.h"

#include <algorithm>
#include <thread>

#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

namespace perfsift::tools {

namespace po = boost::program_options;

namespace {

bool standard_input_is_a_pipe() {
  struct stat status {};
  return fstat(STDIN_FILENO, &status) == 0 && S_ISFIFO(status.st_mode);
}

}  // namespace

void ReadingOptions::add_to(po::options_description& options) {
  options.add_options()("input,i", po::value(&inputs)->value_name("FILE")->composing(),
                        "the recording to read (perf.data); - is standard input, which is also read when it is a pipe "
                        "and no FILE is given")("quiet,q", po::bool_switch(&quiet), "no warnings");
}

std::vector<std::string> ReadingOptions::paths() const {
  if (!inputs.empty()) return inputs;
  return {standard_input_is_a_pipe() ? "-" : "perf.data"};
}

std::string ReadingOptions::single_path() const {
  if (inputs.size() > 1) throw UsageError("'" + inputs[1] + "': this command reads one recording at a time");
  return paths().front();
}

void NamingOptions::add_to(po::options_description& options) {
  options.add_options()("symfs", po::value(&symfs)->value_name("DIR"),
                        "look for the files the recording names below DIR")(
      "kallsyms", po::value(&kallsyms)->value_name("FILE"), "take kernel names from a saved /proc/kallsyms")(
      "vmlinux", po::value(&vmlinux)->value_name("FILE"), "take kernel names from an ELF kernel")(
      "debug-dir", po::value(&debug_dirs)->value_name("DIR")->composing(),
      "look for separate debug files here (/usr/lib/debug); may be repeated");
}

symbolize::SymbolizeOptions NamingOptions::symbolize_options() const {
  symbolize::SymbolizeOptions result;
  result.symfs = symfs;
  result.kallsyms = kallsyms;
  result.vmlinux = vmlinux;
  if (!debug_dirs.empty()) result.debug_dirs = debug_dirs;
  return result;
}

void JobsOption::add_to(po::options_description& options) {
  options.add_options()("jobs,j", po::value(&jobs)->value_name("N"), "threads to use (one for every CPU)");
}

unsigned JobsOption::threads() const { return jobs != 0 ? jobs : std::max(1u, std::thread::hardware_concurrency()); }

}  // namespace perfsift::tools
