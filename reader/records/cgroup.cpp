#include "reader/records/cgroup.h"

namespace perfsift::reader {

std::optional<Cgroup> decode_cgroup(const Record& record) {
  auto in = record.reader();
  const Cgroup cgroup{.id = in.u64(), .path = in.cstring()};
  return in.ok() ? std::optional(cgroup) : std::nullopt;
}

}  // namespace perfsift::reader
