// A file's symbols in a file of the cache: as they are in a finished SymbolTable.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string_view>

#include "symbolize/cache/symbol_cache.h"
#include "symbolize/symbols/symbol_table.h"

namespace perfsift::symbolize {

// Fills an empty table; its names are in the file, which it keeps. False when there is no file, or it is damaged.
bool read_symbols(std::shared_ptr<const CacheFile> file, SymbolTable& to);
void write_symbols(const SymbolTable& table, CacheFileWriter& to);

// Fills `table` from the cache, or else has make() do it and the cache keep it, for which the table must live until the
// next SymbolCache::write_all(). `options`, `kind` and `files` as in cache_key().
void read_or_make_symbols(const SymbolizeOptions& options, std::string_view kind,
                          std::initializer_list<const ElfFile*> files, SymbolTable& table,
                          const std::function<void()>& make);

}  // namespace perfsift::symbolize
