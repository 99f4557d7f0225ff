#include "record/events/tracepoints.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "base/glob.h"
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

Tracepoints::Tracepoints(const EventSources& sources) : folder_(tracefs_of(sources) + "/events") {}

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

std::string Tracepoints::unreadable() const {
  std::error_code error;
  const std::filesystem::directory_iterator entries(folder_, error);
  return error ? fmt::format("cannot be read: {}", error == std::errc::no_such_file_or_directory
                                                       ? "no folder " + folder_
                                                       : fmt::format("{}: {}", folder_, error.message()))
               : std::string();
}

}  // namespace perfsift::record
