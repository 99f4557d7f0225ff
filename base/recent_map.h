// A hash map for lookups that repeat a few keys.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <utility>

#include "base/recent_cache.h"

namespace perfsift {

// A recently used key is found by one comparison, without a search through a bucket of the map. Iteration has the order
// of the map. `Hash` must be good in its low bits. Not thread-safe.
template <typename Key, typename Value, typename Hash, std::size_t slots = 4096>
class RecentMap {
 public:
  using Map = std::unordered_map<Key, Value, Hash>;

  RecentMap() = default;
  RecentMap(RecentMap&&) noexcept = default;
  RecentMap& operator=(RecentMap&&) noexcept = default;

  // The value of the key, and whether it is new. The value keeps its address until clear().
  std::pair<Value&, bool> try_emplace(const Key& key) {
    bool is_new = false;
    Value* const value = recent_.get(key, Hash()(key), [&] {
      const auto [entry, inserted] = map_.try_emplace(key);
      is_new = inserted;
      return &entry->second;  // an unordered_map never moves its entries
    });
    return {*value, is_new};
  }
  Value& operator[](const Key& key) { return try_emplace(key).first; }

  std::size_t size() const { return map_.size(); }
  void clear() {
    recent_.clear();
    map_.clear();
  }

  typename Map::const_iterator begin() const { return map_.begin(); }
  typename Map::const_iterator end() const { return map_.end(); }

 private:
  Map map_;
  RecentCache<Key, Value*, slots> recent_;
};

}  // namespace perfsift
