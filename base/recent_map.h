// A hash map that is asked for the same few keys again and again.
#pragma once

#include <array>
#include <cstddef>
#include <unordered_map>
#include <utility>

namespace perfsift {

// Each key asked for lately is found by one comparison, without the search through a bucket of the map. Iteration is
// that of the map. Hash must be good in its low bits. Not thread-safe.
template <typename Key, typename Value, typename Hash>
class RecentMap {
 public:
  using Map = std::unordered_map<Key, Value, Hash>;
  using Entry = typename Map::value_type;

  RecentMap() = default;
  RecentMap(const RecentMap&) = delete;
  RecentMap& operator=(const RecentMap&) = delete;

  // The value of the key, and whether it is new. Good as long as the map.
  std::pair<Value&, bool> try_emplace(const Key& key) {
    Entry*& recent = recent_[Hash()(key) % slots];
    if (recent != nullptr && recent->first == key) return {recent->second, false};
    const auto [entry, is_new] = map_.try_emplace(key);
    recent = &*entry;
    return {entry->second, is_new};
  }
  Value& operator[](const Key& key) { return try_emplace(key).first; }

  typename Map::const_iterator begin() const { return map_.begin(); }
  typename Map::const_iterator end() const { return map_.end(); }

 private:
  static constexpr std::size_t slots = 4096;

  Map map_;
  std::array<Entry*, slots> recent_{};  // by hash; an unordered_map never moves its entries
};

}  // namespace perfsift
