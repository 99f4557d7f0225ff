#include "record/events/why_not_opened.h"

#include <cerrno>
#include <cstdint>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "base/portable_build.h"
#include "base/printable.h"
#include "reader/format/abi.h"

namespace perfsift::record {

namespace {

using reader::EventAttr;
namespace type = reader::event_type;

struct Refusal {
  const EventRequest& event;
  const CounterPlace& place;
  const SystemSettings& settings;
  std::size_t needed_files;
  const EventAttr& attr() const { return event.attr; }
  bool is_on_all_threads() const { return place.tid == -1 || place.cgroup_fd >= 0; }
};

std::string place_of(const CounterPlace& place) {
  std::string text = "of all threads";
  if (place.cgroup_fd >= 0)
    text = "of a control group";
  else if (place.tid == 0)
    text = "of this thread";
  else if (place.tid > 0)
    text = fmt::format("of thread {}", place.tid);
  return place.cpu < 0 ? text : fmt::format("{} on CPU {}", text, place.cpu);
}

// Where the program may run that refuses, instead of the kernel's own rules.
std::string_view around(const SystemSettings& settings) {
  if (settings.in_container)
    return "This is a container, whose filter of system calls may forbid perf_event_open: start it with "
           "--cap-add PERFMON, or with a seccomp profile that allows perf_event_open";
  if (settings.has_seccomp) return "A filter of system calls (seccomp) is active and may forbid perf_event_open";
  return "";
}

std::string_view how_to_get_rights() {
  return is_portable_build() ? "run as root" : "run as root, or give the program CAP_PERFMON";
}

constexpr int everything = 3;

// The lowest perf_event_paranoid that forbids the event to users: perf_allow_kernel(), perf_allow_cpu() and
// perf_allow_tracepoint() in include/linux/perf_event.h.
int forbidding_level(const Refusal& refusal) {
  const bool has_raw_data = refusal.attr().has(reader::sample_bit::raw);
  if (refusal.attr().type == type::tracepoint && (has_raw_data || !refusal.attr().exclude_kernel())) return 0;
  if (refusal.is_on_all_threads()) return 1;
  return refusal.attr().exclude_kernel() ? everything : 2;
}

bool is_forbidden_by_level(int level, const SystemSettings& settings) {
  if (!settings.paranoid || settings.may_observe) return false;
  return settings.forbids_everything || (level < everything && *settings.paranoid >= level);
}

std::string what_is_forbidden(int level, const EventRequest& event) {
  if (level == 0) return "users may not record tracepoints";
  if (level == 1) return "users may not record all threads of a CPU: record processes or threads (-p, -t, a command)";
  if (level == 2) return fmt::format("users may not record the kernel: use '{}:u'", event.name);
  return "users may not record anything";
}

std::string not_permitted(const Refusal& refusal) {
  const SystemSettings& settings = refusal.settings;
  const int level = forbidding_level(refusal);
  if (is_forbidden_by_level(level, settings))
    return fmt::format("kernel.perf_event_paranoid is {}, so that {}, {}, or: sysctl kernel.perf_event_paranoid={}",
                       *settings.paranoid,
                       what_is_forbidden(settings.forbids_everything ? everything : level, refusal.event),
                       how_to_get_rights(), level - 1);
  if (const std::string_view reason = around(settings); !reason.empty()) return std::string(reason);
  if (refusal.place.tid > 0 && !settings.may_observe)
    return fmt::format("The thread belongs to another user, or may not be traced: {}", how_to_get_rights());
  return fmt::format("A security module or lockdown of the kernel forbids it. Otherwise, {}", how_to_get_rights());
}

bool needs_core_pmu(const EventAttr& attr) {
  return attr.type == type::hardware || attr.type == type::hw_cache || attr.type == type::raw;
}

std::string no_such_event(const Refusal& refusal) {
  const SystemSettings& settings = refusal.settings;
  if (!needs_core_pmu(refusal.attr())) return "The kernel does not have this event, or its module is not loaded";
  if (settings.has_core_pmu)
    return "The PMU of this processor does not have this event: choose another, as those in "
           "/sys/bus/event_source/devices/*/events";
  if (settings.in_virtual_machine)
    return "This virtual machine has no hardware counters: switch on the virtual PMU of the machine, or use cpu-clock, "
           "which samples by time";
  return "The kernel does not know the PMU of this processor: use cpu-clock, which samples by time";
}

std::string not_supported(const Refusal& refusal) {
  const EventAttr& attr = refusal.attr();
  if (attr.precise_ip() > 0)
    return "The PMU cannot give precise addresses for this event: leave out the modifiers p and P";
  if (attr.has(reader::sample_bit::branch_stack)) return "The PMU records no branches: do without branch stacks";
  if (attr.type == type::breakpoint) return "The processor has no such breakpoint";
  if (!refusal.settings.has_core_pmu && needs_core_pmu(attr)) return no_such_event(refusal);
  return "The PMU counts but cannot sample: its events have no interrupts, as in some virtual machines and outside of "
         "cores";
}

std::string breakpoint_is_invalid(const EventAttr& attr) {
  const std::uint64_t length = attr.config2;
  if (length == 0 || (length & (length - 1)) != 0 || length > 8) return "The length of a breakpoint is 1, 2, 4 or 8";
  if (attr.config1 % length != 0) return fmt::format("The address of a breakpoint must be a multiple of {}", length);
  return "The processor has no breakpoint for this kind of access: x86 has none for reads alone (use rw)";
}

std::string too_precise_or_fast(const Refusal& refusal) {
  const EventAttr& attr = refusal.attr();
  const auto most = refusal.settings.max_sample_rate;
  if (attr.freq() && most && attr.sample_period > *most)
    return fmt::format("The frequency {} is above kernel.perf_event_max_sample_rate, which is {}", attr.sample_period,
                       *most);
  if (attr.precise_ip() > 0)
    return fmt::format("The PMU probably has no precision {}: use fewer p, or P", attr.precise_ip());
  return "";
}

// Which part of the attribute the kernel probably does not accept.
std::string is_invalid(const Refusal& refusal) {
  const EventAttr& attr = refusal.attr();
  if (attr.type == type::breakpoint) return breakpoint_is_invalid(attr);
  if (attr.type == type::tracepoint) return fmt::format("The kernel has no tracepoint with the number {}", attr.config);
  if (std::string reason = too_precise_or_fast(refusal); !reason.empty()) return reason;
  if (refusal.place.group_fd >= 0)
    return "The event probably cannot be in a group with its leader: a group counts on one PMU, and has as many events "
           "as the PMU has counters";
  if (attr.inherit() && (attr.read_format & reader::read_format::group) != 0)
    return "Kernels before 6.12 cannot inherit groups whose samples have all counts: do without inheritance";
  if (refusal.place.cpu < 0 && !refusal.event.cpus.empty())
    return fmt::format("PMU {} counts on its CPUs only, not for threads: record all threads (-a)", refusal.event.pmu);
  if (attr.exclude_guest() || attr.exclude_host())
    return "The PMU probably cannot exclude guests or the host: add the modifiers HG";
  if (attr.exclude_user() || attr.exclude_kernel() || attr.exclude_hv() || attr.exclude_idle())
    return "The PMU probably cannot exclude modes: leave out the modifiers u, k, h and I";
  return fmt::format("The PMU does not accept config {:#x}, config1 {:#x}, config2 {:#x}, or the period", attr.config,
                     attr.config1, attr.config2);
}

std::string too_many_files(const Refusal& refusal) {
  const SystemSettings& settings = refusal.settings;
  const std::string needed =
      refusal.needed_files == 0 ? std::string() : fmt::format(", and {} are needed", refusal.needed_files);
  const std::string change =
      settings.most_open_files > settings.open_files && settings.most_open_files >= refusal.needed_files
          ? fmt::format("ulimit -n {}", settings.most_open_files)
          : "raise the hard limit as root, or record fewer events, threads or CPUs";
  return fmt::format("A process may have {} open files{}: {}", settings.open_files, needed, change);
}

std::string is_busy(const Refusal& refusal) {
  if (refusal.attr().exclusive() || refusal.attr().pinned())
    return "Another program uses the PMU, and the event asks for it alone (modifiers D, e)";
  return "Another program uses the PMU or its trace: another recording, or the NMI watchdog (sysctl "
         "kernel.nmi_watchdog=0)";
}

std::string too_deep(const SystemSettings& settings) {
  return fmt::format(
      "The stack depth is above kernel.perf_event_max_stack{}: use a smaller max-stack, or raise the "
      "setting",
      settings.max_stack ? fmt::format(", which is {}", *settings.max_stack) : "");
}

std::string reason_of(int error, const Refusal& refusal) {
  switch (error) {
    case EPERM:
    case EACCES:
      return not_permitted(refusal);
    case ENOENT:
    case ENXIO:
      return no_such_event(refusal);
    case ENODEV:
      return refusal.place.cpu >= 0 ? "The CPU is offline, or the PMU does not count on it" : no_such_event(refusal);
    case EOPNOTSUPP:
      return not_supported(refusal);
    case EINVAL:
      return is_invalid(refusal);
    case E2BIG:
      return fmt::format("The kernel{}{} is too old for a part of the attribute",
                         refusal.settings.release.empty() ? "" : " ", refusal.settings.release);
    case EMFILE:
      return too_many_files(refusal);
    case ENFILE:
      return "All programs together have as many open files as the system allows: sysctl fs.file-max";
    case EBUSY:
      return is_busy(refusal);
    case ENOSPC:
      return "All breakpoints of the processor are in use (x86 has 4): record fewer, or end the debugger";
    case ENOMEM:
      return "The kernel has no memory for the event";
    case EOVERFLOW:
      return too_deep(refusal.settings);
    case ESRCH:
      return "The thread has ended";
    case EBADF:
      return "The control group or the leader of the group is closed";
    case ENOSYS:
      return "The kernel was built without perf events (CONFIG_PERF_EVENTS), or a sandbox hides them";
    default:
      return "The kernel gives no further reason";
  }
}

std::string error_text(int error) { return std::generic_category().message(error); }

// `action`: "map the ring of". `reason`: a sentence without its end.
std::string cannot(const char* action, const EventRequest& event, const CounterPlace& place, int error,
                   const std::string& reason) {
  return fmt::format("cannot {} event '{}' {}: {}. {}.", action, printable(event.name), place_of(place),
                     error_text(error), printable(reason));
}

}  // namespace

std::string why_not_opened(const EventRequest& event, const CounterPlace& place, int error,
                           const SystemSettings& settings, std::size_t needed_files) {
  const Refusal refusal{event, place, settings, needed_files};
  return cannot("open", event, place, error, reason_of(error, refusal));
}

std::string why_not_mapped(const EventRequest& event, const CounterPlace& place, int error, std::size_t bytes,
                           const SystemSettings& settings) {
  const std::size_t kib = bytes >> 10;
  std::string reason = "The kernel gives no further reason";
  if (error == EPERM)
    reason = fmt::format(
        "A ring has {} KiB, and kernel.perf_event_mlock_kb allows a user {} KiB for each CPU: use "
        "smaller rings (-m), raise the setting or ulimit -l, or {}",
        kib, settings.mlock_kb.value_or(0), how_to_get_rights());
  else if (error == ENOMEM)
    reason = fmt::format("There is no memory for a ring of {} KiB: use smaller rings (-m)", kib);
  else if (error == EINVAL && place.cpu < 0 && event.attr.inherit())
    reason = "An inherited event has no ring unless it is opened on each CPU";
  else if (error == EINVAL)
    reason = "The size of a ring must be a power of two of pages, and the same for all that share it";
  return cannot("map the ring of", event, place, error, reason);
}

// perf_mmap() in kernel/events/core.c and rb_alloc_aux() in kernel/events/ring_buffer.c.
std::string why_no_aux_area(const EventRequest& event, const CounterPlace& place, int error, std::size_t bytes,
                            const SystemSettings& settings) {
  const std::size_t kib = bytes >> 10;
  std::string reason = "The kernel gives no further reason";
  if (error == EPERM)
    reason = fmt::format(
        "An area has {} KiB beside its ring, and kernel.perf_event_mlock_kb allows a user {} KiB for each CPU: use "
        "smaller areas and rings (-m SIZE,SIZE), raise the setting or ulimit -l, or {}",
        kib, settings.mlock_kb.value_or(0), how_to_get_rights());
  else if (error == ENOMEM)
    reason = fmt::format("There is no memory for an area of {} KiB, or the PMU wants another size: use -m ,SIZE", kib);
  else if (error == EOPNOTSUPP)
    reason = "The PMU of the event writes no trace";
  else if (error == EINVAL)
    reason = "The size of an area must be a power of two of pages";
  return cannot("map the AUX area of", event, place, error, reason);
}

}  // namespace perfsift::record
