#include "record/rings/counter.h"

#include <array>
#include <cerrno>
#include <utility>
#include <vector>

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/byte_reader.h"
#include "reader/format/event.h"

namespace perfsift::record {

namespace {

// perf_copy_attr() in kernel/events/core.c refuses bytes that are not 0 behind the struct that the kernel knows. So
// the short struct is given, which perf 6.1 also gives, where the newer fields are 0.
std::size_t attr_size(const reader::EventAttr& attr) {
  constexpr std::size_t up_to_sig_data = 128, up_to_config4 = 144;
  return attr.config3 == 0 && attr.config4 == 0 ? up_to_sig_data : up_to_config4;
}

int open_event(const reader::EventAttr& attr, const CounterPlace& place) {
  std::vector<std::byte> bytes = reader::encode_event_attr(attr, attr_size(attr), ByteOrder::native);
  const bool in_cgroup = place.cgroup_fd >= 0;
  const unsigned long flags = PERF_FLAG_FD_CLOEXEC | (in_cgroup ? PERF_FLAG_PID_CGROUP : 0);
  const int subject = in_cgroup ? place.cgroup_fd : place.tid;
  return static_cast<int>(syscall(SYS_perf_event_open, bytes.data(), subject, place.cpu, place.group_fd, flags));
}

// perf_read_one() and perf_read_group() in kernel/events/core.c: the times stand before the members of a group, and
// after the value of a counter alone.
Counter::Count read_alone(ByteReader& in, std::uint64_t format) {
  Counter::Count count;
  count.value = in.u64();
  if ((format & reader::read_format::total_time_enabled) != 0) count.enabled_ns = in.u64();
  if ((format & reader::read_format::total_time_running) != 0) count.running_ns = in.u64();
  if ((format & reader::read_format::id) != 0) in.skip(sizeof(std::uint64_t));
  if ((format & reader::read_format::lost) != 0) count.lost = in.u64();
  return count;
}

Counter::Count read_member(ByteReader& in, std::uint64_t format, std::uint64_t wanted_id) {
  Counter::Count count;
  std::uint64_t members = in.u64();
  if ((format & reader::read_format::total_time_enabled) != 0) count.enabled_ns = in.u64();
  if ((format & reader::read_format::total_time_running) != 0) count.running_ns = in.u64();
  for (; members > 0 && in.ok(); --members) {
    const std::uint64_t value = in.u64(), id = in.u64();
    const std::uint64_t lost = (format & reader::read_format::lost) != 0 ? in.u64() : 0;
    if (id != wanted_id) continue;
    count.value = value, count.lost = lost;
    return count;
  }
  in.fail();
  return count;
}

}  // namespace

std::optional<Counter> Counter::open(const reader::EventAttr& attr, const CounterPlace& place, Refused& refused) {
  Counter counter;
  counter.fd_ = FileDescriptor(open_event(attr, place));
  counter.read_format_ = attr.read_format;
  if (!counter.fd_ || ioctl(counter.fd(), PERF_EVENT_IOC_ID, &counter.id_) != 0) {
    refused.error = errno;
    return std::nullopt;
  }
  return std::optional<Counter>(std::move(counter));
}

bool Counter::enable() { return ioctl(fd(), PERF_EVENT_IOC_ENABLE, 0) == 0; }
bool Counter::disable() { return ioctl(fd(), PERF_EVENT_IOC_DISABLE, 0) == 0; }

bool Counter::share_ring_of(const Counter& other) { return ioctl(fd(), PERF_EVENT_IOC_SET_OUTPUT, other.fd()) == 0; }

bool Counter::set_filter(const std::string& filter) {
  return ioctl(fd(), PERF_EVENT_IOC_SET_FILTER, filter.c_str()) == 0;
}

std::optional<Counter::Count> Counter::read() const {
  // The kernel refuses a buffer that is too small for the group (ENOSPC). A group is as large as an enabled PMU has
  // counters, or as large as a list of software events.
  std::array<std::byte, std::size_t{16} << 10> buffer;
  const ssize_t size = ::read(fd(), buffer.data(), buffer.size());
  if (size <= 0) return std::nullopt;
  ByteReader in(Bytes(buffer.data(), static_cast<std::size_t>(size)));
  const bool group = (read_format_ & reader::read_format::group) != 0;
  const Count count = group ? read_member(in, read_format_, id_) : read_alone(in, read_format_);
  return in.ok() ? std::optional(count) : std::nullopt;
}

}  // namespace perfsift::record
