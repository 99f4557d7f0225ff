#include "record/machine/mounts.h"

#include <algorithm>

#include "base/text_scanner.h"

namespace perfsift::record {

namespace {

// Removes the next field from the front of `line`: fields end with the separator.
std::string_view take_part(std::string_view& line, char separator) {
  const std::size_t end = std::min(line.size(), line.find(separator));
  const std::string_view part = line.substr(0, end);
  line.remove_prefix(std::min(line.size(), end + 1));
  return part;
}

bool has_option(std::string_view options, std::string_view option) {
  if (option.empty()) return true;
  while (!options.empty()) {
    if (take_part(options, ',') == option) return true;
  }
  return false;
}

}  // namespace

std::string mount_point(std::string_view mounts, std::string_view type, std::string_view option) {
  while (!mounts.empty()) {
    std::string_view line = take_line(mounts);
    take_part(line, ' ');  // the device
    const auto folder = take_part(line, ' ');
    if (take_part(line, ' ') == type && has_option(take_part(line, ' '), option)) return std::string(folder);
  }
  return {};
}

std::string cgroup_mount_point(std::string_view mounts) {
  const std::string of_controller = mount_point(mounts, "cgroup", "perf_event");
  return of_controller.empty() ? mount_point(mounts, "cgroup2") : of_controller;
}

}  // namespace perfsift::record
