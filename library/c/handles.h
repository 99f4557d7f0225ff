// The objects behind the handles of the C interface.
//
// A handle is only looked up, never followed: a handle that was freed, or never was one, finds nothing. An object that
// another thread frees meanwhile lives until the call that uses it returns.
#pragma once

#include <memory>
#include <mutex>
#include <typeindex>
#include <unordered_map>
#include <utility>

namespace perfsift::v0::detail {

// Thread-safe.
class Handles {
 public:
  static Handles& all() {
    static Handles& handles = *new Handles;  // never destroyed: threads may use handles while the program ends
    return handles;
  }

  // The handle of a new object.
  template <typename Object, typename... Arguments>
  Object* add(Arguments&&... arguments) {
    auto object = std::make_shared<Object>(std::forward<Arguments>(arguments)...);
    const std::lock_guard lock(mutex_);
    Object* const handle = object.get();
    objects_.emplace(handle, Entry{typeid(Object), std::move(object)});
    return handle;
  }
  // The object; nullptr for anything but a handle of that kind.
  template <typename Object>
  std::shared_ptr<Object> find(const Object* handle) const {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    if (found == objects_.end() || found->second.kind != typeid(Object)) return nullptr;
    return std::static_pointer_cast<Object>(found->second.object);
  }
  // Does nothing for anything but a handle of that kind.
  template <typename Object>
  void remove(const Object* handle) {
    std::shared_ptr<void> last;  // destroyed without the lock
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    if (found == objects_.end() || found->second.kind != typeid(Object)) return;
    last = std::move(found->second.object);
    objects_.erase(found);
  }

 private:
  struct Entry {
    std::type_index kind;
    std::shared_ptr<void> object;
  };

  mutable std::mutex mutex_;
  std::unordered_map<const void*, Entry> objects_;
};

}  // namespace perfsift::v0::detail
