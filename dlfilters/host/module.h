// A dlfilter: a shared object in this process, and the functions it exports.
#pragma once

#include <optional>
#include <string>

#include "dlfilters/abi.h"

namespace perfsift::dlfilter {

// The file that perf would load for `name`: itself when it has a slash, else in the current folder, else in that of
// perf's dlfilters, else what the dynamic loader finds (find_dlfilter() in tools/perf/util/dlfilter.c).
std::string find_module(const std::string& name);
// Where perf keeps its dlfilters: $PERF_EXEC_PATH, or the first of the usual places that exists.
std::string modules_folder();

struct EntryPoints {
  Start* start = nullptr;
  Stop* stop = nullptr;
  FilterEvent* filter_event = nullptr;
  FilterEvent* filter_event_early = nullptr;
  FilterDescription* filter_description = nullptr;
  Functions* functions = nullptr;

  bool filters() const { return filter_event != nullptr || filter_event_early != nullptr; }
};

// What a module says about itself. Absent where it says nothing.
struct Description {
  std::optional<std::string> line;
  std::optional<std::string> text;
};

// Loading runs code of the module, as does unloading. What it exports is found where perf finds it, in the libraries it
// depends on too.
class LoadedModule {
 public:
  // Throws InputError, with the dynamic loader's reason, when it cannot be loaded.
  explicit LoadedModule(const std::string& name);
  ~LoadedModule();
  LoadedModule(LoadedModule&& other) noexcept;
  LoadedModule& operator=(LoadedModule&& other) = delete;

  const std::string& path() const { return path_; }
  const EntryPoints& entry_points() const { return entry_points_; }

  // The size of its table of functions as its symbol says; 0 when there is none, or it says nothing.
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
