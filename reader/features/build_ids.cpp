// BUILD_ID: the build id of each file that ran. The section is a sequence of records like the HEADER_BUILD_ID records
// of a pipe.
#include <string_view>

#include "reader/features/sections.h"

namespace perfsift::reader {

namespace {

// struct perf_record_header_build_id got its pid late. Older recordings have no pid there.
enum class BuildIdLayout { with_pid, without_pid };

std::optional<BuildIdEntry> decode(const Record& record, BuildIdLayout layout) {
  const bool guest = record.cpumode() == CpuMode::guest_kernel || record.cpumode() == CpuMode::guest_user;
  auto in = record.reader();

  BuildIdEntry entry;
  entry.mode = record.cpumode();
  // HOST_KERNEL_ID or DEFAULT_GUEST_KERNEL_ID: what perf_header__read_build_ids_abi_quirk() fills in.
  entry.pid = layout == BuildIdLayout::with_pid ? in.i32() : guest ? 0 : -1;
  const Bytes id = in.bytes(20);
  const std::uint8_t size = in.u8();
  in.skip(3);
  entry.build_id = BuildId(
      id.first(std::min<std::size_t>(id.size(), (record.header.misc & misc::build_id_size) != 0 ? size : id.size())));
  entry.path = in.rest_as_string();
  return in.ok() ? std::optional(std::move(entry)) : std::nullopt;
}

std::vector<Record> read_records(ByteReader& in) {
  std::vector<Record> records;
  while (in.remaining() != 0) {
    Record record{.order = in.order()};
    record.header.type = static_cast<RecordType>(in.u32());
    record.header.misc = in.u16();
    record.header.size = in.u16();
    if (record.header.size < record_header_size) in.fail();
    record.payload = in.bytes(record.header.size - record_header_size);
    if (!in.ok()) break;
    records.push_back(record);
  }
  return records;
}

// The kernel's own entry is always there, and shows the old layout: read with a pid, its name "[kernel.kallsyms]" has
// lost the first four letters (perf_header__read_build_ids()).
BuildIdLayout layout_of(const std::vector<Record>& records) {
  for (const Record& record : records) {
    const auto entry = decode(record, BuildIdLayout::with_pid);
    if (entry && entry->path.starts_with("nel.kallsyms]")) return BuildIdLayout::without_pid;
  }
  return BuildIdLayout::with_pid;
}

}  // namespace

std::optional<BuildIdEntry> decode_build_id(const Record& record) { return decode(record, BuildIdLayout::with_pid); }

std::vector<BuildIdEntry> read_build_ids(ByteReader& in) {
  const auto records = read_records(in);
  const auto layout = layout_of(records);
  std::vector<BuildIdEntry> entries;
  for (const Record& record : records) {
    if (auto entry = decode(record, layout))
      entries.push_back(std::move(*entry));
    else
      in.fail();
  }
  return entries;
}

}  // namespace perfsift::reader
