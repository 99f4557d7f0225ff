// An engine that runs the SQL of a store.
//
// A store has one shard, or several: servers that share its rows. Samples and their stacks are divided among shards by
// the id of the stack; all other tables are whole on each shard.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "store/engine/parameters.h"

namespace perfsift::store {

// A table as rows are written to it.
struct TableColumns {
  std::string_view name;
  std::string_view columns;  // "id UInt128, name String": all columns of the table, in order, as RowBinary has them
  std::string_view divided_by = {};  // the column by which shards divide the rows; empty: each shard has all rows
};

// Not thread-safe.
class Engine {
 public:
  Engine() = default;
  virtual ~Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Runs one statement on one shard, and returns its rows in RowBinary. Throws InputError with what the engine says.
  virtual std::string query(std::string_view sql, const Parameters& parameters) = 0;
  std::string query(std::string_view sql) { return query(sql, {}); }
  // Runs one statement on each shard, at the same time, and returns the rows of each.
  virtual std::vector<std::string> query_shards(std::string_view sql, const Parameters& parameters) {
    return {query(sql, parameters)};
  }
  std::vector<std::string> query_shards(std::string_view sql) { return query_shards(sql, {}); }
  // Runs one statement on the first shard, while no other process runs one in this way.
  virtual std::string query_alone(std::string_view sql, const Parameters& parameters) { return query(sql, parameters); }
  virtual std::size_t shards() const { return 1; }
  // Whether the engine is in this process and no other can use the store meanwhile: what was read stays as it is, and
  // temporary tables can be made.
  virtual bool is_alone() const { return false; }
  // Whether a statement may have megabytes of parameters. Servers get parameters in the address of a request, which
  // proxies limit to some kilobytes.
  virtual bool takes_long_parameters() const { return false; }
  // Adds rows in RowBinary, each to its shards: all of them or, when it throws InputError, perhaps some.
  virtual void insert(const TableColumns& table, std::string_view rows) = 0;
};

}  // namespace perfsift::store
