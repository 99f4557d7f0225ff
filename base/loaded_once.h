// What is loaded for each binary, once, however many threads ask for it.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "base/binary.h"

namespace perfsift {

// Thread-safe. `Order` says which binaries are the same.
template <typename Value, typename Order>
class LoadedOnce {
 public:
  // The value of `binary`, which load() makes, as a std::unique_ptr, when it is first asked for; who asks for it
  // meanwhile waits, who asks for another one does not. Lives as long as this.
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
  std::mutex mutex_;  // of the map alone
  std::map<Binary, Entry, Order> entries_;
};

}  // namespace perfsift
