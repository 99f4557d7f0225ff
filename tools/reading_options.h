// The options of every command that reads recordings: which ones, and where names come from.
//
// ```cpp
// ReadingOptions reading;
// reading.add_to(options);
// if (!options::parse(arguments, usage, options, ReadingOptions::positional)) return done;
// for (const std::string& path : reading.paths()) std::cout << path << '\n';
// ```
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/program_options.hpp>

#include "options/command_line.h"
#include "output/files/run_files.h"
#include "reader/recording.h"
#include "symbolize/cache/symbol_cache.h"
#include "symbolize/symbolizer.h"
#include "tools/terminal.h"

namespace perfsift::tools {

struct ReadingOptions {
  // The option that takes the arguments without a name.
  static constexpr const char* positional = "input";

  std::vector<std::string> inputs;
  bool quiet = false;

  void add_to(boost::program_options::options_description& options);

  // The inputs to read: `inputs` and what --files-from lists, or without any the input of perf: standard input when it
  // is a pipe, else perf.data (check_pipe() in tools/perf/util/data.c). Throws when the list cannot be read.
  std::vector<std::string> paths() const;
  // Whether the command line names any.
  bool names_any() const { return !inputs.empty() || !list_.empty(); }
  // The path for commands that read one recording only. Throws UsageError when there are more.
  std::string single_path() const;
  // The list itself is read, too.
  void note_files(output::RunFiles& files) const { files.reads(list_); }

 private:
  std::string list_;
};

// Options to open the recording at `path` so that `progress` shows how far it was read. `progress` must live as long as
// the recording.
reader::OpenOptions open_options(const std::string& path, Progress& progress, reader::TimelineRules rules = {},
                                 reader::EventNaming naming = reader::EventNaming::newest);

// Whether what is made of binaries is kept for the next run. For commands that have NamingOptions it is among those.
struct CacheOption {
  bool off = false;

  void add_to(boost::program_options::options_description& options);
  // The cache in $XDG_CACHE_HOME/perfsift or ~/.cache/perfsift, of at most $PERFSIFT_CACHE_SIZE megabytes; nullptr
  // where there is none. Throws UsageError when that is no number.
  std::shared_ptr<symbolize::SymbolCache> cache() const;
};

// Throws InputError, which names the option, unless `path` is a folder that can be entered, or empty. A folder that is
// not there would have no names, which is no error for the symbolizer.
void check_folder(std::string_view option, const std::string& path);

// The sources of names.
struct NamingOptions {
  std::string symfs;
  std::string kallsyms;
  std::string vmlinux;
  std::vector<std::string> debug_dirs;
  std::string build_id_dir;
  bool force = false;
  CacheOption cache;

  void add_to(boost::program_options::options_description& options);
  // Throws InputError, which names the option, when a file or folder is not there or cannot be read.
  symbolize::SymbolizeOptions symbolize_options() const;
  // The words of a command line that gives the same names.
  options::Arguments words() const;
  void note_files(output::RunFiles& files) const { files.reads({kallsyms, vmlinux}); }
};

// -j/--jobs: how many threads share the work.
struct JobsOption {
  unsigned jobs = 0;

  // `names` is without j where that is another option.
  void add_to(boost::program_options::options_description& options, const char* names = "jobs,j");
  // `jobs`, or one for every CPU where none was asked for.
  unsigned threads() const;
};

}  // namespace perfsift::tools
