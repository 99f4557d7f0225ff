#include "symbolize/symbols/cached_symbols.h"

#include <span>
#include <utility>
#include <vector>

#include "symbolize/cache/flat_tables.h"

namespace perfsift::symbolize {

namespace {

constexpr std::size_t symbols_part = 1;

struct FlatSymbol {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint32_t name_begin = 0;  // in the text of all names
  std::uint32_t name_size : 30 = 0;
  std::uint32_t binding : 2 = 0;
};

struct FlatCover {
  std::uint64_t start = 0;
  std::uint64_t symbol = 0;
};

std::vector<Symbol> symbols_of(std::span<const FlatSymbol> flat, std::span<const char> text) {
  std::vector<Symbol> symbols;
  symbols.reserve(flat.size());
  for (const FlatSymbol& from : flat) {
    if (std::uint64_t{from.name_begin} + from.name_size > text.size()) return {};
    const std::string_view name(text.data() + from.name_begin, from.name_size);
    symbols.push_back({from.start, from.end, name, static_cast<Binding>(from.binding)});
  }
  return symbols;
}

std::vector<SymbolTable::Cover> cover_of(std::span<const FlatCover> flat, std::size_t symbol_count) {
  constexpr auto nothing = SymbolTable::Cover::nothing;
  std::vector<SymbolTable::Cover> cover;
  cover.reserve(flat.size());
  for (const FlatCover& from : flat) {
    if (from.symbol >= symbol_count && from.symbol != nothing) return {};
    cover.push_back({from.start, static_cast<std::uint32_t>(from.symbol)});
  }
  return cover;
}

}  // namespace

void write_symbols(const SymbolTable& table, CacheFileWriter& to) {
  std::vector<FlatSymbol> symbols;
  std::vector<char> text;
  for (const Symbol& symbol : table.symbols()) {
    symbols.push_back({.start = symbol.start,
                       .end = symbol.end,
                       .name_begin = static_cast<std::uint32_t>(text.size()),
                       .name_size = static_cast<std::uint32_t>(symbol.name.size()) & 0x3fff'ffff,
                       .binding = static_cast<std::uint32_t>(symbol.binding) & 3});
    text.insert(text.end(), symbol.name.begin(), symbol.name.end());
  }
  std::vector<FlatCover> cover;
  for (const SymbolTable::Cover& stretch : table.cover()) cover.push_back({stretch.start, stretch.symbol});

  FlatWriter out;
  out.write_one(static_cast<std::uint32_t>(table.why_missing()));
  out.write(std::span<const FlatSymbol>(symbols));
  out.write(std::span<const FlatCover>(cover));
  out.write(std::span<const char>(text));
  to.add(out.bytes());
}

bool read_symbols(std::shared_ptr<const CacheFile> file, SymbolTable& to) {
  if (!file) return false;
  FlatReader in(file->part(symbols_part));
  const auto missing = in.read_one<std::uint32_t>();
  const auto flat_symbols = in.read<FlatSymbol>();
  const auto flat_cover = in.read<FlatCover>();
  const auto text = in.read<char>();
  if (!in.done()) return false;

  auto symbols = symbols_of(flat_symbols, text);
  auto cover = cover_of(flat_cover, symbols.size());
  if (symbols.size() != flat_symbols.size() || cover.size() != flat_cover.size()) return false;
  to.set_missing(missing == static_cast<std::uint32_t>(Missing::stripped) ? Missing::stripped : Missing::no_symbol);
  to.adopt(std::move(symbols), std::move(cover), std::move(file));
  return true;
}

void read_or_make_symbols(const SymbolizeOptions& options, std::string_view kind,
                          std::initializer_list<const ElfFile*> files, SymbolTable& table,
                          const std::function<void()>& make) {
  const auto key = cache_key(options, kind, files);
  if (key && read_symbols(options.cache->find(*key), table)) return;
  make();
  if (!key) return;
  options.cache->write_later(*key, [&table](CacheFileWriter& writer) {
    write_symbols(table, writer);
    return true;
  });
}

}  // namespace perfsift::symbolize
