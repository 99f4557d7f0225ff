#include "reader/records/read.h"

#include "reader/lists.h"

namespace perfsift::reader {

namespace {

// perf_output_read_group() in kernel/events/core.c.
void read_group(ByteReader& in, std::uint64_t format, Read& read) {
  const std::uint64_t members = in.u64();
  if ((format & read_format::total_time_enabled) != 0) read.time_enabled = in.u64();
  if ((format & read_format::total_time_running) != 0) read.time_running = in.u64();
  read.counters = read_list(in, members, [format](ByteReader& member) {
    ReadValue counter{.value = member.u64()};
    if ((format & read_format::id) != 0) counter.id = member.u64();
    if ((format & read_format::lost) != 0) counter.lost = member.u64();
    return counter;
  });
}

// perf_output_read_one(): the times stand between the value and its id.
void read_one(ByteReader& in, std::uint64_t format, Read& read) {
  ReadValue counter{.value = in.u64()};
  if ((format & read_format::total_time_enabled) != 0) read.time_enabled = in.u64();
  if ((format & read_format::total_time_running) != 0) read.time_running = in.u64();
  if ((format & read_format::id) != 0) counter.id = in.u64();
  if ((format & read_format::lost) != 0) counter.lost = in.u64();
  read.counters.push_back(counter);
}

}  // namespace

std::optional<Read> decode_read(const Record& record, std::uint64_t format) {
  auto in = record.reader();
  Read read{.pid = in.i32(), .tid = in.i32()};
  ((format & read_format::group) != 0 ? read_group : read_one)(in, format, read);
  return in.ok() ? std::optional(std::move(read)) : std::nullopt;
}

}  // namespace perfsift::reader
