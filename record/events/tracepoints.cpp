#include "record/events/tracepoints.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/glob.h"
#include "base/owned.h"
#include "record/machine/kernel_files.h"
#include "record/machine/number_text.h"

namespace perfsift::record {

namespace {

// The names in a folder that match. A name without a glob is not looked for among all names: it may be a path, which
// nothing matches.
std::vector<std::string> matching_names(const std::string& folder, const std::string& pattern) {
  if (!has_wildcards(pattern, Brackets::classes)) {
    const bool is_name = !pattern.empty() && pattern.find('/') == std::string::npos && pattern.front() != '.';
    return is_name ? std::vector{pattern} : std::vector<std::string>();
  }
  std::vector<std::string> names = names_in(folder);
  std::erase_if(names, [&](const std::string& name) { return !matches_glob(pattern, name, Brackets::classes); });
  return names;
}

// Subfolders only: beside them are files such as enable and filter.
std::vector<std::string> folders_in(const std::string& folder) {
  std::vector<std::string> names = names_in(folder);
  std::erase_if(names, [&](const std::string& name) {
    std::error_code ignored;
    return !std::filesystem::is_directory(folder + "/" + name, ignored);
  });
  return names;
}

// 0: the file or folder can be read.
int error_of_opening(const std::string& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return file ? 0 : errno;
}

// The mode of the mount is that of its root alone, and the group is that of all files, which are 0440 since Linux 5.16
// (tracefs_apply_options() in fs/tracefs/inode.c, TRACE_MODE_READ in kernel/trace/trace.h).
std::string how_to_share(const std::string& tracefs) {
  return fmt::format("sudo mount -o remount,mode=750,gid={} {}", getegid(), tracefs);
}

// The kernel makes the folder for the mount in sysfs.
std::string how_to_mount(const std::string& tracefs) {
  const std::string mount = fmt::format("sudo mount -t tracefs tracefs {}", tracefs);
  std::error_code ignored;
  const bool has_sysfs = std::filesystem::exists(std::filesystem::path(tracefs).parent_path(), ignored);
  return has_sysfs ? mount : "mount /sys first: sudo mount -t sysfs sysfs /sys && " + mount;
}

Unreadable unreadable_path(const std::string& path, int error, const std::string& tracefs) {
  if (error == ENOENT) return {.fact = "cannot be read: no folder " + path, .remedy = how_to_mount(tracefs)};
  return {.fact = fmt::format("cannot be read: {}: {}", path, std::generic_category().message(error)),
          .remedy = error == EACCES ? how_to_share(tracefs) : std::string(),
          .to_users = error == EACCES};
}

}  // namespace

std::string tracefs_of(const EventSources& sources) {
  if (!sources.tracefs.empty()) return sources.tracefs;
  const std::string usual = sources.sysfs + "/kernel/tracing", older = sources.sysfs + "/kernel/debug/tracing";
  std::error_code ignored;
  const bool only_older =
      !std::filesystem::exists(usual + "/events", ignored) && std::filesystem::exists(older + "/events", ignored);
  return only_older ? older : usual;
}

std::optional<TracepointName> tracepoint_name(const EventRequest& event) {
  const std::string& text = event.name;
  const std::size_t colon = text.find(':');
  const bool is_name = colon != std::string::npos && text.find('/') == std::string::npos;
  if (event.attr.type != reader::event_type::tracepoint || !is_name) return std::nullopt;
  const std::size_t modifiers = std::min(text.find(':', colon + 1), text.size());
  return TracepointName{.system = text.substr(0, colon), .name = text.substr(colon + 1, modifiers - colon - 1)};
}

Tracepoints::Tracepoints(const EventSources& sources) : tracefs_(tracefs_of(sources)), folder_(tracefs_ + "/events") {}

std::vector<Tracepoint> Tracepoints::find(const std::string& system, const std::string& name) const {
  std::vector<Tracepoint> found;
  for (const std::string& in_system : matching_names(folder_, system)) {
    const std::string path = folder_ + "/" + in_system;
    for (const std::string& event : matching_names(path, name)) {
      const auto id = read_number(read_text(fmt::format("{}/{}/id", path, event)).value_or(""));
      if (id) found.push_back({.system = in_system, .name = event, .id = *id});
    }
  }
  return found;
}

std::vector<std::string> Tracepoints::systems() const { return folders_in(folder_); }

std::vector<std::string> Tracepoints::names(const std::string& system) const {
  return folders_in(folder_ + "/" + system);
}

std::optional<Unreadable> Tracepoints::unreadable() const {
  if (const int error = error_of_opening(folder_); error != 0) return unreadable_path(folder_, error, tracefs_);
  return std::nullopt;
}

std::optional<Unreadable> Tracepoints::unreadable(const std::string& system, const std::string& name) const {
  for (const std::string& in_system : matching_names(folder_, system)) {
    for (const std::string& event : matching_names(folder_ + "/" + in_system, name)) {
      const std::string path = fmt::format("{}/{}/{}/id", folder_, in_system, event);
      const int error = error_of_opening(path);
      if (error == EACCES || error == EPERM) return unreadable_path(path, error, tracefs_);
    }
  }
  return std::nullopt;
}

}  // namespace perfsift::record
