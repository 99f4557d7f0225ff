// A dlfilter: a shared object in this process, and the functions it exports.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dlfilters/abi.h"

namespace perfsift::dlfilter {

// The file that perf would load for `name`: `name` itself if it has a slash, otherwise a file in the current folder, in
// the folder of perf's dlfilters, or found by the dynamic loader (find_dlfilter() in tools/perf/util/dlfilter.c).
// Perfsift's own modules are also found where they are installed with this program.
std::string find_module(const std::string& name);
// The folder of perf's dlfilters: $PERF_EXEC_PATH, or the first of the usual places that exists. Then, if it is another
// one, that of the modules that are installed with this program.
std::vector<std::string> modules_folders();

struct EntryPoints {
  Start* start = nullptr;
  Stop* stop = nullptr;
  FilterEvent* filter_event = nullptr;
  FilterEvent* filter_event_early = nullptr;
  FilterDescription* filter_description = nullptr;
  Functions* functions = nullptr;

  bool filters() const { return filter_event != nullptr || filter_event_early != nullptr; }
};

// The description that a module has of itself. Parts may be absent.
struct Description {
  std::optional<std::string> line;
  std::optional<std::string> text;
};

// Loading and unloading run code of the module. Exported names are found where perf finds them, also in the libraries
// that the module depends on.
class LoadedModule {
 public:
  // Throws InputError, with the dynamic loader's reason and what to do, if the module cannot be loaded.
  explicit LoadedModule(const std::string& name);
  ~LoadedModule();
  LoadedModule(LoadedModule&& other) noexcept;
  LoadedModule& operator=(LoadedModule&& other) = delete;

  const std::string& path() const { return path_; }
  const EntryPoints& entry_points() const { return entry_points_; }

  // The size of the module's table of functions by its symbol; 0 without a table, or without a size.
  std::size_t table_size() const;
  // Why perf, which copies 1,024 bytes into the table without a look, would crash or write over what is behind it;
  // empty when it would not, and when there is no table.
  std::string table_problem() const;
  // Fills the table. Throws InputError with the problem.
  void give(const Functions& functions);

  Description describe() const;

 private:
  std::string path_;
  void* handle_;
  EntryPoints entry_points_;
};

}  // namespace perfsift::dlfilter
