// A hash table that many threads look into and add to.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace perfsift {

// In many parts, each with a lock of its own: who finds a lock taken sleeps a hundred times longer than it is held.
// Thread-safe. Keys and values are copied.
template <typename Key, typename Value, typename Hash>
class SharedMap {
 public:
  std::optional<Value> find(const Key& key) const {
    const Part& part = part_of(key);
    const std::lock_guard lock(part.mutex);
    const auto found = part.values.find(key);
    return found != part.values.end() ? std::optional(found->second) : std::nullopt;
  }

  // The value that is there afterwards: that of another thread, where one was faster.
  Value insert(const Key& key, const Value& value) {
    Part& part = part_of(key);
    const std::lock_guard lock(part.mutex);
    return part.values.try_emplace(key, value).first->second;
  }

 private:
  struct alignas(64) Part {
    mutable std::mutex mutex;
    std::unordered_map<Key, Value, Hash> values;
  };

  // By bits of the hash that do not decide about the place within the part.
  const Part& part_of(const Key& key) const { return parts_[(Hash()(key) >> 48) % parts_.size()]; }
  Part& part_of(const Key& key) { return parts_[(Hash()(key) >> 48) % parts_.size()]; }

  std::array<Part, 64> parts_;
};

}  // namespace perfsift
