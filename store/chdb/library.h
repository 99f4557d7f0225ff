// libchdb.so: all of ClickHouse as a library, which is loaded when a store is opened. Nothing else of perfsift needs
// it.
//
// Its interface in C is that of chdb.h of chDB 26.5; later versions have the same functions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace perfsift::store::chdb {

// Opaque.
struct Result;
struct ConnectionContents;
using Connection = ConnectionContents*;

// The functions that are used.
struct Library {
  Connection* (*connect)(int argc, char** argv) = nullptr;
  void (*close)(Connection* connection) = nullptr;
  Result* (*query)(Connection connection, const char* sql, std::size_t sql_size, const char* format,
                   std::size_t format_size, const char* const* names, const std::size_t* name_sizes,
                   const char* const* values, const std::size_t* value_sizes, std::size_t parameters) = nullptr;
  void (*destroy)(Result* result) = nullptr;
  const char* (*error)(Result* result) = nullptr;
  char* (*buffer)(Result* result) = nullptr;
  std::size_t (*length)(Result* result) = nullptr;
};

// Loads the library at the first call: $PERFSIFT_CHDB, else installed_library(), else where the loader finds it.
// Thread-safe. Throws InputError, which says how to get the library.
const Library& library();

// Where `perfsift store setup` puts the library: below $XDG_DATA_HOME, or ~/.local/share. Empty without a home.
std::string installed_library();

}  // namespace perfsift::store::chdb
