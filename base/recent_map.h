// A hash map that is asked for the same few keys again and again.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <utility>

#include "base/recent_cache.h"

namespace perfsift {

// A key that was asked for lately is found by one comparison, without the search through a bucket of the map. Iteration
// is that of the map. `Hash` must be good in its low bits. Not thread-safe.
template <typename Key, typename Value, typename Hash, std::size_t slots = 4096>
class RecentMap {
 public:
  using Map = std::unordered_map<Key, Value, Hash>;

  RecentMap() = default;
  RecentMap(RecentMap&&) noexcept = default;
  RecentMap& operator=(RecentMap&&) noexcept = default;

  // The value of the key, and whether it is new. The value stays in its place until clear().
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
