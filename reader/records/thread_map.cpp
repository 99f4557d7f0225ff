#include "reader/records/thread_map.h"

#include "reader/lists.h"

namespace perfsift::reader {

std::optional<ThreadMap> decode_thread_map(const Record& record) {
  auto in = record.reader();
  ThreadMap map;
  map.threads = read_list(in, in.u64(), [](ByteReader& thread) {
    return ThreadMap::Thread{.tid = static_cast<std::int32_t>(thread.u64()), .comm = c_string(thread.bytes(16))};
  });
  return in.ok() ? std::optional(std::move(map)) : std::nullopt;
}

}  // namespace perfsift::reader
