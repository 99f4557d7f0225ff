#include "store/open_store.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "store/chdb/chdb_engine.h"
#include "store/clickhouse/clickhouse_engine.h"
#include "store/engine/sharded_engine.h"
#include "store/schema.h"
#include "store/shards.h"

namespace perfsift::store {

namespace {

std::unique_ptr<Engine> open_server(const StoreUrl& url, std::size_t place, StoreUse use) {
  const clickhouse::Server& server = url.servers[place];
  auto engine = std::make_unique<clickhouse::ClickhouseEngine>(server, url.database);
  if (use == StoreUse::make) engine->make_database();
  try {
    use == StoreUse::read ? check_schema(*engine) : migrate(*engine);
    check_place(*engine,
                {.shard = static_cast<std::uint32_t>(place), .shards = static_cast<std::uint32_t>(url.servers.size())});
  } catch (const InputError& error) {
    const std::string_view why = error.what();
    if (url.servers.size() == 1 || why.starts_with(server.name())) throw;
    throw InputError(fmt::format("{}: {}", server.name(), why));
  }
  return engine;
}

std::unique_ptr<Engine> open_servers(const StoreUrl& url, StoreUse use) {
  std::vector<std::unique_ptr<Engine>> shards;
  for (std::size_t place = 0; place < url.servers.size(); ++place) shards.push_back(open_server(url, place, use));
  return std::make_unique<ShardedEngine>(std::move(shards));
}

std::unique_ptr<Engine> open_folder(const StoreUrl& url, StoreUse use) {
  auto engine = std::make_unique<chdb::ChdbEngine>(
      url.folder, use == StoreUse::make ? chdb::FolderUse::make : chdb::FolderUse::existing);
  use == StoreUse::read ? check_schema(*engine) : migrate(*engine);
  return engine;
}

}  // namespace

std::unique_ptr<Engine> open_store(const StoreUrl& url, StoreUse use) {
  std::unique_ptr<Engine> engine;
  with_store_named(url, [&] { engine = url.servers.empty() ? open_folder(url, use) : open_servers(url, use); });
  return engine;
}

void with_store_named(const StoreUrl& url, const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", printable(url.name()), error.what()));
  }
}

}  // namespace perfsift::store
