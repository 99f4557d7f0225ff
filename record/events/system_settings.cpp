#include "record/events/system_settings.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <sys/resource.h>

#include "base/number_in.h"
#include "base/text_scanner.h"
#include "reader/format/abi.h"
#include "record/events/pmu.h"
#include "record/events/trial.h"
#include "record/machine/kernel_files.h"
#include "record/machine/limits.h"
#include "record/machine/number_text.h"

namespace perfsift::record {

namespace {

namespace flag = reader::attr_flag;

// include/uapi/linux/capability.h
constexpr unsigned cap_sys_admin = 21, cap_perfmon = 38;

std::string setting(const std::string& procfs, const char* name) {
  return read_text(procfs + "/sys/kernel/" + name).value_or("");
}

std::optional<int> signed_setting(const std::string& procfs, const char* name) {
  return number_in<int>(setting(procfs, name));
}

// The value of a line "NAME:\tVALUE" of /proc/self/status; empty without such a line.
std::string_view status_value(std::string_view status, std::string_view name) {
  while (!status.empty()) {
    const std::string_view line = take_line(status);
    if (!line.starts_with(name)) continue;
    const std::size_t value = line.find_first_not_of(" \t", name.size());
    return value == std::string_view::npos ? std::string_view() : line.substr(value);
  }
  return {};
}

bool has_capability(std::string_view status, unsigned number) {
  std::string_view digits = status_value(status, "CapEff:");
  return (take_hex(digits).value_or(0) >> number & 1) != 0;
}

// The patched perf_event_open() refuses every event with EACCES; filters of system calls use EPERM.
bool refuses_users() {
  reader::EventAttr attr;
  attr.type = reader::event_type::software;
  attr.config = reader::software_event::dummy;
  for (const unsigned bit : {flag::disabled, flag::exclude_kernel, flag::exclude_hv}) attr.set(bit);
  return try_to_open(attr, this_thread) == EACCES;
}

// Files that Docker and Podman make.
bool is_container() {
  std::error_code ignored;
  return std::filesystem::exists("/.dockerenv", ignored) || std::filesystem::exists("/run/.containerenv", ignored);
}

}  // namespace

SystemSettings SystemSettings::read(const std::string& procfs, const std::string& sysfs) {
  SystemSettings settings;
  settings.paranoid = signed_setting(procfs, "perf_event_paranoid");
  settings.mlock_kb = read_number(setting(procfs, "perf_event_mlock_kb"));
  settings.max_sample_rate = record::max_sample_rate(procfs);
  settings.max_stack = read_number(setting(procfs, "perf_event_max_stack"));
  settings.release = setting(procfs, "osrelease");
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) == 0)
    settings.open_files = files.rlim_cur, settings.most_open_files = files.rlim_max;
  const std::string status = read_text(procfs + "/self/status").value_or("");
  settings.may_observe = has_capability(status, cap_perfmon) || has_capability(status, cap_sys_admin);
  settings.forbids_everything = settings.paranoid.value_or(0) >= 3 && !settings.may_observe && refuses_users();
  settings.has_seccomp = status_value(status, "Seccomp:") == "2";  // SECCOMP_MODE_FILTER
  settings.in_container = is_container();
  settings.in_virtual_machine = read_text(procfs + "/cpuinfo").value_or("").find(" hypervisor") != std::string::npos;
  settings.has_core_pmu = std::ranges::any_of(all_pmus(sysfs), &Pmu::is_core);
  return settings;
}

}  // namespace perfsift::record
