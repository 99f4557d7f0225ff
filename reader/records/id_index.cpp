#include "reader/records/id_index.h"

#include "reader/lists.h"

namespace perfsift::reader {

namespace {

// CPU and thread numbers take 64 bits here.
std::int32_t narrow(std::uint64_t number) { return static_cast<std::int32_t>(number); }

}  // namespace

std::optional<IdIndex> decode_id_index(const Record& record) {
  auto in = record.reader();
  IdIndex index;
  index.entries = read_list(in, in.u64(), [](ByteReader& entry) {
    return IdIndex::Entry{
        .id = entry.u64(), .index = entry.u64(), .cpu = narrow(entry.u64()), .tid = narrow(entry.u64())};
  });
  // struct id_index_entry_2, once for each of the above, since perf knows guests.
  if (in.remaining() >= 16 * index.entries.size()) {
    for (auto& entry : index.entries) {
      entry.machine_pid = narrow(in.u64());
      entry.vcpu = narrow(in.u64());
    }
  }
  return in.ok() ? std::optional(std::move(index)) : std::nullopt;
}

}  // namespace perfsift::reader
