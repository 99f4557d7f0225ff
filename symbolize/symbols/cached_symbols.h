// The symbols of a finished SymbolTable in a file of the cache.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string_view>

#include "symbolize/cache/symbol_cache.h"
#include "symbolize/symbols/symbol_table.h"

namespace perfsift::symbolize {

// Fills an empty table. The table keeps the file, which has the names. False if there is no file, or if it is damaged.
bool read_symbols(std::shared_ptr<const CacheFile> file, SymbolTable& to);
void write_symbols(const SymbolTable& table, CacheFileWriter& to);

// Fills `table` from the cache; otherwise by make(), and adds the table to the cache: then the table must live until
// the next SymbolCache::write_all(). `options`, `kind` and `files` as in cache_key().
void read_or_make_symbols(const SymbolizeOptions& options, std::string_view kind,
                          std::initializer_list<const ElfFile*> files, SymbolTable& table,
                          const std::function<void()>& make);

}  // namespace perfsift::symbolize
