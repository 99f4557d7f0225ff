#include "analysis/collect/context_sums.h"

#include "base/hash.h"

namespace perfsift::analysis {
namespace {

std::uint64_t hash_of(const ContextSum& sample) {
  const std::uint64_t stack = std::uint64_t{sample.callchain} << 32 | sample.leaf;
  const std::uint64_t place = std::uint64_t{sample.context} << 32 | static_cast<std::uint32_t>(sample.cpu);
  const std::uint64_t what = std::uint64_t{sample.event} << 8 | sample.mode;
  return mix(mix(stack ^ odd_1, place ^ odd_2), what ^ odd_3);
}

bool agree(const ContextSum& a, const ContextSum& b) {
  return a.callchain == b.callchain && a.leaf == b.leaf && a.context == b.context && a.cpu == b.cpu &&
         a.event == b.event && a.mode == b.mode;
}

}  // namespace

void ContextSums::add_up() {
  hashes_.clear();
  for (const ContextSum& sample : batch_) {
    hashes_.push_back(hash_of(sample));
    table_.prefetch(hashes_.back());
  }
  for (const std::uint64_t hash : hashes_) {
    if (const auto sum = table_.likely(hash)) __builtin_prefetch(&sums_[*sum]);
  }
  for (std::size_t i = 0; i < batch_.size(); ++i) {
    const ContextSum& sample = batch_[i];
    const auto known = table_.find(hashes_[i], [&](std::size_t sum) { return agree(sums_[sum], sample); });
    if (known) {
      sums_[*known].amount += sample.amount;
    } else {
      table_.add(hashes_[i]);
      sums_.push_back(sample);
    }
  }
  batch_.clear();
}

}  // namespace perfsift::analysis
