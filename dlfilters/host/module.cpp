#include "dlfilters/host/module.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beside_program.h"
#include "base/error.h"

namespace perfsift::dlfilter {
namespace {

bool readable(const std::string& path) { return access(path.c_str(), R_OK) == 0; }

bool is_folder(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

template <typename T>
T* find(void* handle, const char* name) {
  return reinterpret_cast<T*>(dlsym(handle, name));
}

EntryPoints find_entry_points(void* handle) {
  return {.start = find<Start>(handle, entry_point::start),
          .stop = find<Stop>(handle, entry_point::stop),
          .filter_event = find<FilterEvent>(handle, entry_point::filter_event),
          .filter_event_early = find<FilterEvent>(handle, entry_point::filter_event_early),
          .filter_description = find<FilterDescription>(handle, entry_point::filter_description),
          .functions = find<Functions>(handle, entry_point::functions)};
}

// Whether all bytes may be written. A line of the list: "7f1c3a200000-7f1c3a201000 rw-p 00002000 08:01 131 /a.so".
bool writable(const void* at, std::size_t size) {
  auto next = reinterpret_cast<std::uintptr_t>(at);
  const std::uintptr_t end = next + size;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; next < end && std::getline(maps, line);) {
    std::uintptr_t from = 0, to = 0;
    std::array<char, 5> rights{};
    if (std::sscanf(line.c_str(), "%lx-%lx %4s", &from, &to, rights.data()) != 3) continue;
    if (to <= next) continue;
    if (from > next || rights[1] != 'w') return false;
    next = to;
  }
  return next >= end;
}

std::string folder_of_perf() {
  if (const char* const chosen = std::getenv("PERF_EXEC_PATH"); chosen != nullptr && *chosen != '\0') {
    return std::string(chosen) + "/dlfilters";
  }
  // The folder of Debian, and the folders of perf's own Makefile for each prefix.
  constexpr std::array usual = {"/usr/lib/perf-core", "/usr/libexec/perf-core", "/usr/local/libexec/perf-core"};
  for (const std::string folder : usual) {
    if (is_folder(folder)) return folder + "/dlfilters";
  }
  return std::string(usual.front()) + "/dlfilters";
}

// A module may need a newer glibc or libstdc++ than the program has loaded, which may have its own
// (cmake/portable.cmake).
std::string why_not_loaded(const std::string& reason) {
  const auto wants = [&](const char* library) { return reason.find(library) != std::string::npos; };
  if (!wants("version `GLIBC") && !wants("version `CXXABI_")) return reason;
  return fmt::format(
      "{}: the module was built for newer libraries than those of this perfsift (glibc {}); use a perfsift that was "
      "built on this machine, or build the module on an older one",
      reason, gnu_get_libc_version());
}

}  // namespace

std::vector<std::string> modules_folders() {
  std::vector<std::string> folders{folder_of_perf()};
  const auto own = beside_program({"../lib/perf-core/dlfilters", "../libexec/perf-core/dlfilters"});
  if (own && *own != folders.front()) folders.push_back(*own);
  return folders;
}

std::string find_module(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  // The slash keeps the dynamic loader from searching.
  if (readable(name)) return "./" + name;
  for (const std::string& folder : modules_folders()) {
    std::string installed = fmt::format("{}/{}", folder, name);
    if (readable(installed)) return installed;
  }
  return name;
}

LoadedModule::LoadedModule(const std::string& name)
    : path_(find_module(name)), handle_(dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) throw InputError(fmt::format("dlfilter {}: {}", name, why_not_loaded(dlerror())));
  entry_points_ = find_entry_points(handle_);
}

LoadedModule::~LoadedModule() {
  if (handle_ != nullptr) dlclose(handle_);
}

LoadedModule::LoadedModule(LoadedModule&& other) noexcept
    : path_(std::move(other.path_)),
      handle_(std::exchange(other.handle_, nullptr)),
      entry_points_(other.entry_points_) {}

std::size_t LoadedModule::table_size() const {
  Dl_info info{};
  void* symbol = nullptr;
  if (dladdr1(entry_points_.functions, &info, &symbol, RTLD_DL_SYMENT) == 0 || symbol == nullptr) return 0;
  return static_cast<const ElfW(Sym)*>(symbol)->st_size;
}

std::string LoadedModule::table_problem() const {
  if (entry_points_.functions == nullptr) return {};
  if (const std::size_t size = table_size(); size != 0 && size < sizeof(Functions)) {
    return fmt::format("{} has {} bytes, perf writes {}", entry_point::functions, size, sizeof(Functions));
  }
  if (!writable(entry_points_.functions, sizeof(Functions))) {
    return fmt::format("{} cannot be written to: it must not be const", entry_point::functions);
  }
  return {};
}

void LoadedModule::give(const Functions& functions) {
  if (entry_points_.functions == nullptr) return;
  if (const std::string problem = table_problem(); !problem.empty()) {
    throw InputError(fmt::format("dlfilter {}: {}", path_, problem));
  }
  std::memcpy(entry_points_.functions, &functions, sizeof functions);
}

Description LoadedModule::describe() const {
  if (entry_points_.filter_description == nullptr) return {};
  const char* text = nullptr;
  const char* const line = entry_points_.filter_description(&text);
  const auto said = [](const char* words) {
    return words != nullptr ? std::optional<std::string>(words) : std::nullopt;
  };
  return {.line = said(line), .text = said(text)};
}

}  // namespace perfsift::dlfilter
