// The address of a store, and which of its samples are wanted, as one text:
//
//   chdb:DIR?service=shop&version=1.2&host=a&host=b&from=2026-11-28T10:00:00Z&to=2026-11-28T11:00:00Z
//   clickhouse://HOST[:PORT][,HOST[:PORT]]…/DATABASE?service=shop
//   clickhouses://HOST[:PORT][,HOST[:PORT]]…/DATABASE?service=shop
//
// DIR is a folder that an engine in this process keeps. Each HOST is a server of ClickHouse that is asked over HTTP
// (port 8123) or HTTPS (port 8443); several share the rows of a store. Names are labels of recordings, except event,
// thread, cgroup, from and to. A byte that means something else here is written as %XX.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/clickhouse/http_post.h"
#include "store/selection.h"

namespace perfsift::store {

struct StoreUrl {
  std::string folder;                       // empty: servers have the store
  std::vector<clickhouse::Server> servers;  // in the order of their shards
  std::string database;                     // of servers
  Selection selection;

  // The store, without what is chosen of it.
  std::string name() const;
  // An address that parse_store_url() reads as this one.
  std::string text() const;
};

// Whether an input or an argument is meant as a store.
bool is_store_url(std::string_view text);
// Throws UsageError.
StoreUrl parse_store_url(std::string_view text);

// Adds the names and values of "version=1.1&kernel=6.1", as they are in an address. A name that is there already gets
// the new values instead. Throws UsageError.
Selection with_query(Selection selection, std::string_view query);

// Seconds since 1970, or a time of UTC: 2026-11-28, 2026-11-28T10:00, 2026-11-28T10:00:00Z. Nothing for other texts and
// for years that a store cannot hold (before 1970, after 2105).
std::optional<std::uint32_t> parse_time(std::string_view text);
// "2026-11-28T10:00:00Z".
std::string time_text(std::uint64_t seconds);

}  // namespace perfsift::store
