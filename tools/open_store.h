// The store that the inputs of a command have in common: the engine starts once for both sides of a comparison.
#pragma once

#include <functional>

#include "store/engine/engine.h"
#include "store/url.h"

namespace perfsift::tools {

// Calls work() with the engine of the store. Thread-safe: one input is read at a time, as a process has one engine of a
// folder. Throws InputError, which names the store.
void use_store(const store::StoreUrl& url, const std::function<void(store::Engine& engine)>& work);

// While one lives, the store that was used last stays open for the next input. A store in a folder is for one process
// at a time: it should not live longer than the reading.
class StoreStaysOpen {
 public:
  StoreStaysOpen();
  ~StoreStaysOpen();
  StoreStaysOpen(const StoreStaysOpen&) = delete;
  StoreStaysOpen& operator=(const StoreStaysOpen&) = delete;
};

}  // namespace perfsift::tools
