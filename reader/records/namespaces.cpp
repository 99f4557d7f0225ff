#include "reader/records/namespaces.h"

#include "reader/lists.h"

namespace perfsift::reader {

std::optional<Namespaces> decode_namespaces(const Record& record) {
  auto in = record.reader();
  Namespaces namespaces{.pid = in.i32(), .tid = in.i32()};
  namespaces.links = read_list(
      in, in.u64(), [](ByteReader& link) { return NamespaceLink{.device = link.u64(), .inode = link.u64()}; });
  return in.ok() ? std::optional(std::move(namespaces)) : std::nullopt;
}

}  // namespace perfsift::reader
