// An engine that runs the SQL of a store.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "store/engine/parameters.h"

namespace perfsift::store {

// A table as rows are written to it.
struct TableColumns {
  std::string_view name;
  std::string_view columns;  // "id UInt128, name String": all columns of the table, in order, as RowBinary has them
};

// Not thread-safe.
class Engine {
 public:
  Engine() = default;
  virtual ~Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Runs one statement, and returns its rows in RowBinary. Throws InputError with what the engine says.
  virtual std::string query(std::string_view sql, const Parameters& parameters) = 0;
  std::string query(std::string_view sql) { return query(sql, {}); }
  // Adds rows in RowBinary: all of them or, when it throws InputError, perhaps some.
  virtual void insert(const TableColumns& table, std::string_view rows) = 0;
};

}  // namespace perfsift::store
