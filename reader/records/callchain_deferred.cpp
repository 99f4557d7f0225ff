#include "reader/records/callchain_deferred.h"

#include "reader/format/counted_list.h"

namespace perfsift::reader {

std::optional<CallchainDeferred> decode_callchain_deferred(const Record& record) {
  auto in = record.reader();
  CallchainDeferred chain{.cookie = in.u64()};
  chain.addresses = read_u64s(in, in.u64());
  return in.ok() ? std::optional(std::move(chain)) : std::nullopt;
}

}  // namespace perfsift::reader
