// A hash table that many threads read and extend.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace perfsift {

// The table has many parts, each with its own lock, because a thread that finds a lock taken sleeps a hundred times
// longer than the lock is held. Thread-safe. Keys and values are copied.
template <typename Key, typename Value, typename Hash>
class SharedMap {
 public:
  std::optional<Value> find(const Key& key) const {
    const Part& part = part_of(key);
    const std::lock_guard lock(part.mutex);
    const auto found = part.values.find(key);
    return found != part.values.end() ? std::optional(found->second) : std::nullopt;
  }

  // Returns the value in the table: another thread's value if that thread was faster.
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

  // Uses bits of the hash that do not decide the place within the part.
  const Part& part_of(const Key& key) const { return parts_[(Hash()(key) >> 48) % parts_.size()]; }
  Part& part_of(const Key& key) { return parts_[(Hash()(key) >> 48) % parts_.size()]; }

  std::array<Part, 64> parts_;
};

}  // namespace perfsift
