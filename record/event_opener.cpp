#include "record/event_opener.h"

#include <cerrno>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/portable_build.h"
#include "record/events/trial.h"
#include "record/events/why_not_opened.h"
#include "record/kernel_features.h"
#include "record/machine/limits.h"

namespace perfsift::record {

namespace {

namespace flag = reader::attr_flag;
namespace sample_bit = reader::sample_bit;
using reader::EventAttr;

bool has_many_files(int error) { return error == EMFILE && raise_open_files(); }

bool is_cycles(const EventAttr& attr) {
  constexpr std::uint64_t cpu_cycles = 0;  // PERF_COUNT_HW_CPU_CYCLES
  return attr.type == reader::event_type::hardware && (attr.config & 0xffffffff) == cpu_cycles;
}

// A CPU that was listed as online may go at any time. An event that needs no hardware tells that from a PMU that does
// not count on the CPU.
bool is_offline(const CounterPlace& place) {
  if (place.cpu < 0 || place.tid > 0) return false;
  EventAttr dummy;
  dummy.type = reader::event_type::software;
  dummy.config = reader::software_event::dummy;
  Counter::Refused refused;
  const CounterPlace alone{.tid = -1, .cpu = place.cpu, .cgroup_fd = -1, .group_fd = -1};
  return !Counter::open(dummy, alone, refused) && refused.error == ENODEV;
}

}  // namespace

std::optional<Counter> EventOpener::open(const CounterPlace& place) {
  while (true) {
    Counter::Refused refused;
    if (auto counter = Counter::open(event_.attr, place, refused)) {
      opened_ = true;
      return counter;
    }
    if (refused.error == ESRCH && place.tid > 0) return std::nullopt;
    if (refused.error == ENODEV && is_offline(place)) return std::nullopt;
    if (has_many_files(refused.error)) continue;
    if (!opened_ && make_smaller(refused.error)) continue;
    throw Error(why_not_opened(request(), place, refused.error, SystemSettings::read(roots_.proc, roots_.sysfs)));
  }
}

// The event as it was asked for last: with the attr that the kernel refused.
EventRequest EventOpener::request() const {
  EventRequest request = asked_ != nullptr ? *asked_ : EventRequest();
  request.attr = event_.attr;
  request.name = event_.name;
  return request;
}

bool EventOpener::make_smaller(int error) {
  return (error == EINVAL && leave_out_unknown()) || lower_precision(error) || do_without_privileges(error) ||
         take_guests_in(error) || use_clock(error);
}

bool EventOpener::leave_out_unknown() {
  const std::vector<std::string> unknown = leave_out_unknown_bits(event_.attr);
  if (!unknown.empty()) say(fmt::format("this kernel does not have {}", fmt::join(unknown, ", ")));
  return !unknown.empty();
}

// evsel__precise_ip_fallback(): nobody asked for a certain level, so nothing is left out.
bool EventOpener::lower_precision(int error) {
  const unsigned level = event_.attr.precise_ip();
  const bool refused = error == EINVAL || error == EOPNOTSUPP || error == ENOENT;
  if (asked_ == nullptr || !asked_->most_precise || level == 0 || !refused) return false;
  event_.attr.set_precise_ip(level - 1);
  return true;
}

bool EventOpener::do_without_privileges(int error) {
  EventAttr& attr = event_.attr;
  if (error != EACCES && error != EPERM) return false;
  if (attr.namespaces()) {
    attr.set(flag::namespaces, false);
    return say("records of namespaces need CAP_PERFMON"), true;
  }
  if (attr.has(sample_bit::phys_addr)) {
    attr.sample_type &= ~sample_bit::phys_addr;
    return say("physical addresses need CAP_PERFMON"), true;
  }
  if (!leave_out_kernel(attr)) return false;
  say(fmt::format("the kernel is left out: {}, or kernel.perf_event_paranoid below 2, would permit it",
                  is_portable_build() ? "root" : "CAP_PERFMON"));
  event_.name += event_.name.find(':') == std::string::npos ? ":u" : "u";
  return true;
}

// Guests are left out by default, which nobody notices on a PMU that cannot distinguish them.
bool EventOpener::take_guests_in(int error) {
  if ((error != EINVAL && error != EOPNOTSUPP) || !event_.attr.exclude_guest()) return false;
  event_.attr.set(flag::exclude_guest, false);
  return true;
}

bool EventOpener::use_clock(int error) {
  const bool missing = error == ENOENT || error == ENXIO || error == ENODEV || error == EOPNOTSUPP;
  if (!missing || !is_cycles(event_.attr)) return false;
  say("this machine has no hardware counter for it: cpu-clock is recorded instead");
  event_.attr.type = reader::event_type::software;
  event_.attr.config = 0;  // PERF_COUNT_SW_CPU_CLOCK
  event_.attr.set_precise_ip(0);
  event_.name = reader::synthesised_event_name(event_.attr);
  return true;
}

}  // namespace perfsift::record
