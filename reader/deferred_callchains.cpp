#include "reader/deferred_callchains.h"

#include "reader/records/callchain_deferred.h"

namespace perfsift::reader {

bool DeferredCallchains::add(const Record& record, std::int32_t tid) {
  auto chain = decode_callchain_deferred(record);
  if (!chain) return false;
  chains_.insert_or_assign({tid, chain->cookie}, std::move(chain->addresses));
  return true;
}

void DeferredCallchains::remove(const Record& record, std::int32_t tid) {
  const auto chain = decode_callchain_deferred(record);
  if (chain) chains_.erase({tid, chain->cookie});
}

bool DeferredCallchains::join(const Sample& sample, std::vector<Unaligned<std::uint64_t>>& joined) const {
  const Words chain = sample.callchain;
  if (chain.size() < 2 || chain[chain.size() - 2] != callchain_context::user_deferred) return false;
  const auto found = chains_.find({sample.tid, chain.back()});
  if (found == chains_.end()) return false;
  joined.assign(chain.begin(), chain.end() - 2);
  joined.insert(joined.end(), found->second.begin(), found->second.end());
  return true;
}

}  // namespace perfsift::reader
