// Values that are loaded once per binary, for any number of threads.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "base/binary.h"

namespace perfsift {

// Thread-safe. `Order` decides which binaries are the same.
template <typename Value, typename Order>
class LoadedOnce {
 public:
  // The value of `binary`. The first call creates the value with load(), which returns a std::unique_ptr. Threads that
  // need the same value meanwhile wait; threads that need another value do not. The value lives as long as this object.
  template <typename Load>
  const Value& get(const Binary& binary, Load&& load) {
    Entry* entry;
    {
      const std::lock_guard lock(mutex_);
      entry = &entries_[binary];
    }
    std::call_once(entry->loaded, [&] { entry->value = load(); });
    return *entry->value;
  }

 private:
  struct Entry {
    std::once_flag loaded;
    std::unique_ptr<Value> value;
  };
  std::mutex mutex_;  // guards only the map, not the loading
  std::map<Binary, Entry, Order> entries_;
};

}  // namespace perfsift
