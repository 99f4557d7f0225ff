// Opens a store by its address.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "store/engine/engine.h"
#include "store/url.h"

namespace perfsift::store {

enum class StoreUse : std::uint8_t {
  read,     // a store of this version
  migrate,  // an existing store, which is brought up to this version
  make,     // and a new folder, or a new database, becomes a store
};

// Throws InputError, which names the store.
std::unique_ptr<Engine> open_store(const StoreUrl& url, StoreUse use);

// Calls work(), and adds the name of the store to the errors that it throws.
void with_store_named(const StoreUrl& url, const std::function<void()>& work);

}  // namespace perfsift::store
