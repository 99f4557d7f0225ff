#include "record/why_not_opened.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>

#include <fmt/format.h>

namespace perfsift::record {

namespace {

using reader::EventAttr;

std::optional<long> setting(const std::string& proc, std::string_view name) {
  std::ifstream file(fmt::format("{}/sys/kernel/{}", proc, name));
  long value = 0;
  return file >> value ? std::optional(value) : std::nullopt;
}

// perf_allow_cpu(), perf_allow_kernel() and perf_allow_tracepoint() in the kernel: the highest paranoid level at which
// a user without privileges may do this.
long highest_level(const EventAttr& attr, const CounterPlace& place) {
  if (attr.type == reader::event_type::tracepoint && attr.has(reader::sample_bit::raw)) return -1;
  if (place.tid == -1 || place.cgroup_fd >= 0) return 0;
  return attr.exclude_kernel() ? 2 : 1;
}

std::string not_permitted(const EventAttr& attr, const CounterPlace& place, const std::string& proc) {
  const auto level = setting(proc, "perf_event_paranoid");
  const long highest = highest_level(attr, place);
  if (level && *level > highest) {
    return fmt::format(
        "not permitted: kernel.perf_event_paranoid is {}; CAP_PERFMON, root, or sysctl kernel.perf_event_paranoid={} "
        "would permit this event",
        *level, highest);
  }
  return "not permitted: the recorded process belongs to another user, or a container forbids perf_event_open()";
}

std::string does_not_exist(const EventAttr& attr) {
  switch (attr.type) {
    case reader::event_type::hardware:
    case reader::event_type::hw_cache:
    case reader::event_type::raw:
      return "this machine offers no such hardware event; a virtual machine often has no hardware counters: try "
             "cpu-clock";
    case reader::event_type::tracepoint:
      return fmt::format("the kernel has no tracepoint with the number {}", attr.config);
    default:
      return "this machine does not have the event";
  }
}

std::string not_supported(const EventAttr& attr) {
  if (attr.has(reader::sample_bit::branch_stack)) return "this machine records no branches for the event (LBR)";
  if (attr.aux_output()) return "the event cannot write into the AUX area of its group's leader";
  if (attr.precise_ip() != 0) {
    return fmt::format("this machine does not have precise_ip {} for the event: try fewer letters p",
                       attr.precise_ip());
  }
  return "the hardware cannot sample the event: its counter has no interrupt";
}

std::string too_deep(const std::string& proc) {
  const long limit = setting(proc, "perf_event_max_stack").value_or(0);
  return fmt::format("callchains are limited to {} frames: ask for fewer, or raise kernel.perf_event_max_stack", limit);
}

std::string no_room(const EventAttr& attr) {
  return attr.type == reader::event_type::breakpoint ? "all breakpoint registers of a CPU are in use"
                                                     : "no counter of the machine is free";
}

std::string reason(const EventAttr& attr, const CounterPlace& place, int error, const std::string& proc) {
  switch (error) {
    case EACCES:
    case EPERM:
      return not_permitted(attr, place, proc);
    case ENOENT:
      return does_not_exist(attr);
    case EOPNOTSUPP:
      return not_supported(attr);
    case EOVERFLOW:
      return too_deep(proc);
    case ENOSPC:
      return no_room(attr);
    case ENODEV:
    case ENXIO:
      return place.cpu >= 0 ? fmt::format("CPU {} is not online, or does not have the event", place.cpu)
                            : "this machine does not have the event";
    case EMFILE:
    case ENFILE:
      return "too many open files: raise ulimit -n, or record fewer threads, CPUs or events";
    case EBUSY:
      return "the counter is in use by somebody else, such as the NMI watchdog or another profiler";
    case ESRCH:
      return place.tid > 0 ? fmt::format("thread {} has ended", place.tid) : "all threads have ended";
    case ENOSYS:
      return "the kernel, or a container, does not offer perf_event_open()";
    case EINVAL:
      return "the kernel refuses the combination of options (EINVAL)";
    default:
      return std::strerror(error);
  }
}

}  // namespace

std::string why_not_opened(const std::string& name, const EventAttr& attr, const CounterPlace& place, int error,
                           const std::string& proc) {
  return fmt::format("{}: {}", name, reason(attr, place, error, proc));
}

}  // namespace perfsift::record
