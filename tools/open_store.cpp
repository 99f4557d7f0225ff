#include "tools/open_store.h"

#include <memory>
#include <mutex>
#include <string>

#include "store/open_store.h"

namespace perfsift::tools {
namespace {

// Of the process, as its engine is.
struct OpenStore {
  std::mutex mutex;
  unsigned keepers = 0;
  std::string name;
  std::unique_ptr<store::Engine> engine;

  void close_unless_kept() {
    if (keepers == 0) engine.reset();
  }
};

OpenStore& open_store_of_inputs() {
  static OpenStore open;
  return open;
}

}  // namespace

void use_store(const store::StoreUrl& url, const std::function<void(store::Engine& engine)>& work) {
  OpenStore& open = open_store_of_inputs();
  const std::lock_guard lock(open.mutex);
  if (open.engine == nullptr || open.name != url.name()) {
    open.engine.reset();
    open.engine = store::open_store(url, store::StoreUse::read);
    open.name = url.name();
  }
  const auto close = [&](void*) { open.close_unless_kept(); };
  const std::unique_ptr<void, decltype(close)> closing(&open, close);
  store::with_store_named(url, [&] { work(*open.engine); });
}

StoreStaysOpen::StoreStaysOpen() {
  OpenStore& open = open_store_of_inputs();
  const std::lock_guard lock(open.mutex);
  ++open.keepers;
}

StoreStaysOpen::~StoreStaysOpen() {
  OpenStore& open = open_store_of_inputs();
  const std::lock_guard lock(open.mutex);
  --open.keepers;
  open.close_unless_kept();
}

}  // namespace perfsift::tools
