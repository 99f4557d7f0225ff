#include "store/chdb/library.h"

#include <cstdlib>

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/error.h"
#include "base/loaded_function.h"
#include "store/chdb/kept_signals.h"

namespace perfsift::store::chdb {
namespace {

constexpr const char* file_name = "libchdb.so";

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The library to load: a path, or a name for the loader.
std::string wanted_library() {
  if (std::string named = environment("PERFSIFT_CHDB"); !named.empty()) return named;
  if (std::string installed = installed_library(); !installed.empty() && access(installed.c_str(), F_OK) == 0)
    return installed;
  return file_name;
}

template <typename Function>
void find(void* handle, const std::string& path, const char* name, Function& function) {
  if (!find_function(handle, name, function))
    throw InputError(
        fmt::format("{}: has no function {}; perfsift store setup gets a version that has it", path, name));
}

// The library would print a report of its own, and wait, where the program crashes or is ended.
void leave_signals_alone(void* handle) {
  void (*set_enabled)(int enabled) = nullptr;
  if (find_function(handle, "chdb_set_signal_handlers_enabled", set_enabled)) set_enabled(0);
}

Library load() {
  const std::string path = wanted_library();
  const KeptSignals signals;
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const bool named = !environment("PERFSIFT_CHDB").empty();
    throw InputError(
        named ? fmt::format("PERFSIFT_CHDB={}: cannot be loaded: {}", path, dlerror())
              : "a store needs libchdb.so, which is not here: perfsift store setup gets it, or PERFSIFT_CHDB "
                "names it");
  }
  Library library;
  find(handle, path, "chdb_connect", library.connect);
  find(handle, path, "chdb_close_conn", library.close);
  find(handle, path, "chdb_query_with_params_n", library.query);
  find(handle, path, "chdb_destroy_query_result", library.destroy);
  find(handle, path, "chdb_result_error", library.error);
  find(handle, path, "chdb_result_buffer", library.buffer);
  find(handle, path, "chdb_result_length", library.length);
  leave_signals_alone(handle);
  return library;
}

}  // namespace

const Library& library() {
  static const Library loaded = load();
  return loaded;
}

std::string installed_library() {
  // The XDG base directory specification: a relative path is to be ignored.
  const std::string data = environment("XDG_DATA_HOME"), home = environment("HOME");
  if (data.starts_with('/')) return fmt::format("{}/perfsift/{}", data, file_name);
  return home.empty() ? home : fmt::format("{}/.local/share/perfsift/{}", home, file_name);
}

}  // namespace perfsift::store::chdb
