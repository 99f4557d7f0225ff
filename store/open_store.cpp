#include "store/open_store.h"

#include <fmt/format.h>

#include "base/error.h"
#include "store/chdb/chdb_engine.h"
#include "store/schema.h"

namespace perfsift::store {

std::unique_ptr<Engine> open_store(const StoreUrl& url, StoreUse use) {
  std::unique_ptr<Engine> engine;
  with_store_named(url, [&] {
    engine = std::make_unique<chdb::ChdbEngine>(
        url.folder, use == StoreUse::make ? chdb::FolderUse::make : chdb::FolderUse::existing);
    use == StoreUse::read ? check_schema(*engine) : migrate(*engine);
  });
  return engine;
}

void with_store_named(const StoreUrl& url, const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    throw InputError(fmt::format("chdb:{}: {}", url.folder, error.what()));
  }
}

}  // namespace perfsift::store
