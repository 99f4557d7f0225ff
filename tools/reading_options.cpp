#include "tools/reading_options.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <thread>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/number_in.h"
#include "options/number_option.h"

namespace perfsift::tools {

namespace po = boost::program_options;

namespace {

constexpr unsigned most_jobs = 1024;

// One path a line.
std::vector<std::string> paths_in(const std::string& file) {
  std::ifstream lines(file == "-" ? "/dev/stdin" : file);
  std::vector<std::string> paths;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) paths.push_back(line);
  }
  if (!lines.eof()) throw InputError(file + ": cannot read: " + std::strerror(errno));
  return paths;
}

bool standard_input_is_a_pipe() {
  struct stat status {};
  return fstat(STDIN_FILENO, &status) == 0 && S_ISFIFO(status.st_mode);
}

enum class PathKind : bool { file, folder };

void check_there(std::string_view option, const std::string& path, PathKind wanted) {
  if (path.empty()) return;
  struct stat status {};
  const bool folder = wanted == PathKind::folder;
  const bool is_there = stat(path.c_str(), &status) == 0;
  if (is_there && folder != S_ISDIR(status.st_mode))
    throw InputError(fmt::format("{} {}: is {}", option, path, folder ? "no folder" : "a folder"));
  if (!is_there || access(path.c_str(), folder ? X_OK : R_OK) != 0)
    throw InputError(fmt::format("{} {}: {}", option, path, std::strerror(errno)));
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The XDG base directory specification: a relative path is to be ignored.
std::string cache_folder() {
  if (const std::string caches = environment("XDG_CACHE_HOME"); caches.starts_with('/')) return caches + "/perfsift";
  const std::string home = environment("HOME");
  return home.empty() ? home : home + "/.cache/perfsift";
}

// The limit in bytes.
std::uint64_t cache_limit() {
  const std::string text = environment("PERFSIFT_CACHE_SIZE");
  if (text.empty()) return symbolize::SymbolCache::default_limit;
  const auto megabytes = number_in<std::uint32_t>(text);
  if (!megabytes) throw UsageError("PERFSIFT_CACHE_SIZE=" + text + ": not a number of megabytes; 0 is no cache");
  return std::uint64_t{*megabytes} << 20;
}

}  // namespace

void ReadingOptions::add_to(po::options_description& options) {
  auto add = options.add_options();
  add("input,i", po::value(&inputs)->value_name("FILE")->composing(),
      "the recording to read (perf.data, or standard input if that is a pipe); -: standard input");
  add("files-from", po::value(&list_)->value_name("LIST"), "also read the files that are named in LIST, one per line");
  add("quiet,q", po::bool_switch(&quiet), "no warnings, no progress");
}

std::vector<std::string> ReadingOptions::paths() const {
  std::vector<std::string> all = inputs;
  if (!list_.empty()) {
    std::ranges::copy(paths_in(list_), std::back_inserter(all));
    if (all.empty()) throw UsageError("--files-from " + list_ + ": names no files");
  }
  if (!all.empty()) return all;
  if (standard_input_is_a_pipe()) return {"-"};
  if (access("perf.data", F_OK) != 0)
    throw InputError("no perf.data is here: record one with `perf record -g`, or name the FILE to read");
  return {"perf.data"};
}

std::string ReadingOptions::single_path() const {
  const std::vector<std::string> all = paths();
  if (all.size() > 1) throw UsageError("'" + all[1] + "': this command reads one recording at a time");
  return all.front();
}

reader::OpenOptions open_options(const std::string& path, Progress& progress, reader::TimelineRules rules,
                                 reader::EventNaming naming) {
  reader::OpenOptions options{.rules = rules, .event_naming = naming, .progress = {}};
  if (!progress.possible()) return options;
  options.progress = [&progress, path](double share) {
    progress.show(
        [&] { return share < 0 ? "reading " + path : fmt::format("reading {}: {:.0f} %", path, 100 * share); });
  };
  return options;
}

void CacheOption::add_to(po::options_description& options) {
  options.add_options()("no-cache", po::bool_switch(&off), "do not use the symbol cache in ~/.cache/perfsift");
}

std::shared_ptr<symbolize::SymbolCache> CacheOption::cache() const {
  const std::uint64_t limit = cache_limit();
  const std::string folder = cache_folder();
  if (off || limit == 0 || folder.empty()) return nullptr;
  return std::make_shared<symbolize::SymbolCache>(folder, limit);
}

void NamingOptions::add_to(po::options_description& options) {
  options.add_options()("symfs", po::value(&symfs)->value_name("DIR"), "look for recorded binaries below DIR")(
      "kallsyms", po::value(&kallsyms)->value_name("FILE"), "take kernel names from a saved /proc/kallsyms")(
      "vmlinux", po::value(&vmlinux)->value_name("FILE"), "take kernel names from an ELF kernel")(
      "debug-dir", po::value(&debug_dirs)->value_name("DIR")->composing(),
      "look for separate debug files here (/usr/lib/debug); may be repeated")(
      "buildid-dir", po::value(&build_id_dir)->value_name("DIR"),
      "perf's cache of binaries, or an unpacked `perf archive` (~/.debug)")(
      "force,f", po::bool_switch(&force), "also read perf maps of other users, and binaries that may have changed");
  cache.add_to(options);
}

void check_folder(std::string_view option, const std::string& path) { check_there(option, path, PathKind::folder); }

symbolize::SymbolizeOptions NamingOptions::symbolize_options() const {
  check_folder("--symfs", symfs);
  check_there("--kallsyms", kallsyms, PathKind::file);
  check_there("--vmlinux", vmlinux, PathKind::file);
  for (const std::string& folder : debug_dirs) check_folder("--debug-dir", symfs + folder);
  check_folder("--buildid-dir", build_id_dir);

  symbolize::SymbolizeOptions result;
  result.symfs = symfs;
  result.kallsyms = kallsyms;
  result.vmlinux = vmlinux;
  result.build_id_dir = build_id_dir;
  result.force = force;
  if (!debug_dirs.empty()) result.debug_dirs = debug_dirs;
  result.cache = cache.cache();
  return result;
}

// Each option is one word, so that a value may begin with a dash.
options::Arguments NamingOptions::words() const {
  options::Arguments words;
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) words.push_back(fmt::format("{}={}", option, value));
  };
  add("--symfs", symfs);
  add("--kallsyms", kallsyms);
  add("--vmlinux", vmlinux);
  for (const std::string& folder : debug_dirs) add("--debug-dir", folder);
  add("--buildid-dir", build_id_dir);
  if (force) words.emplace_back("--force");
  return words;
}

void JobsOption::add_to(po::options_description& options, const char* names) {
  options.add_options()(names, options::whole_number(jobs, {.least = 1, .most = most_jobs}),
                        "threads to use (one for every CPU)");
}

unsigned JobsOption::threads() const { return jobs != 0 ? jobs : std::max(1u, std::thread::hardware_concurrency()); }

}  // namespace perfsift::tools
