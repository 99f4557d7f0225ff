// The names of distinct addresses, so that each address is named only once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "analysis/samples/frame_namer.h"
#include "base/hash.h"
#include "base/recent_map.h"

namespace perfsift::analysis {

// The names of the addresses of one context. Not thread-safe.
//
// A hash table whose buckets fill one cache line each. The place of an address among the four of a bucket is computed
// without a branch, so the processor starts to look up the next frames while it waits for this bucket.
class AddressTable {
 public:
  AddressTable() : buckets_(std::size_t{1} << initial_bits) {}

  // The name of `ip`, which is no context marker. `name()` is called when the name is not known yet.
  template <typename Name>
  FrameNamer::Named find(std::uint64_t ip, Name&& name) {
    for (std::size_t i = first_bucket(ip);; i = next_bucket(i)) {
      const Bucket& bucket = buckets_[i];
      const std::size_t place = bucket.place_of(ip);
      if (bucket.ip[place] == ip) return bucket.named[place];
      if (!bucket.full()) return add(ip, name());
    }
  }
  // Fetches the memory that find() will read.
  void prefetch(std::uint64_t ip) const { __builtin_prefetch(&buckets_[first_bucket(ip)]); }

 private:
  static constexpr std::size_t per_bucket = 4;
  static constexpr unsigned initial_bits = 1;
  static constexpr std::uint64_t free = ~std::uint64_t{0};  // a context marker

  // Entries are filled from the front.
  struct alignas(64) Bucket {
    std::array<std::uint64_t, per_bucket> ip{free, free, free, free};
    std::array<FrameNamer::Named, per_bucket> named;

    // The place of `wanted`, if the bucket holds it.
    std::size_t place_of(std::uint64_t wanted) const {
      return std::size_t{ip[1] == wanted} | std::size_t{ip[2] == wanted} << 1 | std::size_t{3} * (ip[3] == wanted);
    }
    bool full() const { return ip.back() != free; }
  };

  std::size_t first_bucket(std::uint64_t ip) const { return static_cast<std::size_t>(spread(ip) >> shift_); }
  std::size_t next_bucket(std::size_t i) const { return (i + 1) & (buckets_.size() - 1); }

  // Called seldom, so the code is kept away from the hot path.
  [[gnu::noinline]] FrameNamer::Named add(std::uint64_t ip, FrameNamer::Named named) {
    insert(ip, named);
    if (++used_ > buckets_.size() * per_bucket / 2) grow();
    return named;
  }

  void insert(std::uint64_t ip, FrameNamer::Named named) {
    std::size_t i = first_bucket(ip);
    while (buckets_[i].full()) i = next_bucket(i);
    Bucket& bucket = buckets_[i];
    const auto place = std::ranges::find(bucket.ip, free) - bucket.ip.begin();
    bucket.ip[static_cast<std::size_t>(place)] = ip;
    bucket.named[static_cast<std::size_t>(place)] = named;
  }

  void grow() {
    std::vector<Bucket> old(buckets_.size() * 2);
    old.swap(buckets_);
    --shift_;
    for (const Bucket& bucket : old) {
      for (std::size_t i = 0; i < per_bucket && bucket.ip[i] != free; ++i) {
        insert(bucket.ip[i], bucket.named[i]);
      }
    }
  }

  std::vector<Bucket> buckets_;
  unsigned shift_ = 64 - initial_bits;  // from a hash to its bucket
  std::size_t used_ = 0;
};

// One AddressTable for each context: address space, mode, return address or not. Not thread-safe. Tables keep their
// addresses.
class AddressTables {
 public:
  // `context`: see address_context().
  AddressTable& of(std::uint64_t context) {
    if (last_ == nullptr || last_context_ != context) last_ = &tables_[last_context_ = context];
    return *last_;
  }
  // Fetches the memory that the next find() will read if its address is of the same context as the last one.
  void prefetch(std::uint64_t ip) const {
    if (last_ != nullptr) last_->prefetch(ip);
  }

 private:
  AddressTable* last_ = nullptr;  // the next address is mostly of the same context
  std::uint64_t last_context_ = 0;
  RecentMap<std::uint64_t, AddressTable, std::hash<std::uint64_t>, 64> tables_;
};

}  // namespace perfsift::analysis
