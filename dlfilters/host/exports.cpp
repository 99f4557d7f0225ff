#include "dlfilters/host/exports.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>
#include <gelf.h>

#include "dlfilters/abi.h"
#include "symbolize/elf/elf_file.h"

namespace perfsift::dlfilter {
namespace {

using symbolize::ElfFile;

constexpr std::array entry_points = {entry_point::start,
                                     entry_point::stop,
                                     entry_point::filter_event,
                                     entry_point::filter_event_early,
                                     entry_point::filter_description,
                                     entry_point::functions};

struct ElfSymbol {
  std::string_view name;
  bool exported = false;
};

std::vector<ElfSymbol> symbols_of(const ElfFile& file, std::uint32_t table) {
  std::vector<ElfSymbol> symbols;
  const ElfFile::Section* const section = file.section(table);
  Elf_Data* const data = section != nullptr ? file.data(*section) : nullptr;
  if (data == nullptr || section->header.sh_entsize == 0) return symbols;
  const auto count = static_cast<int>(section->header.sh_size / section->header.sh_entsize);
  GElf_Sym symbol;
  for (int i = 0; i < count && gelf_getsym(data, i, &symbol) != nullptr; ++i) {
    if (symbol.st_shndx == SHN_UNDEF) continue;
    const bool visible = GELF_ST_VISIBILITY(symbol.st_other) == STV_DEFAULT;
    symbols.push_back({.name = file.string(section->header.sh_link, symbol.st_name),
                       .exported = table == SHT_DYNSYM && visible && GELF_ST_BIND(symbol.st_info) != STB_LOCAL});
  }
  return symbols;
}

}  // namespace

std::vector<std::string> export_mistakes(const std::string& path) {
  auto why = symbolize::Missing::none;
  const auto file = ElfFile::open(path, why);
  if (!file) return {};
  std::vector<ElfSymbol> symbols = symbols_of(*file, SHT_DYNSYM);
  const auto all = symbols_of(*file, SHT_SYMTAB);
  symbols.insert(symbols.end(), all.begin(), all.end());

  std::vector<std::string> mistakes;
  for (const std::string_view wanted : entry_points) {
    const auto is_wanted = [&](const ElfSymbol& symbol) { return symbol.name == wanted; };
    if (std::ranges::any_of(symbols, [&](const ElfSymbol& symbol) { return symbol.exported && is_wanted(symbol); })) {
      continue;
    }
    const std::string mangled = fmt::format("_Z{}{}", wanted.size(), wanted);
    if (std::ranges::any_of(symbols, is_wanted)) {
      mistakes.push_back(fmt::format("{} is hidden: perf does not find it", wanted));
    } else if (std::ranges::any_of(symbols,
                                   [&](const ElfSymbol& symbol) { return symbol.name.starts_with(mangled); })) {
      mistakes.push_back(
          fmt::format("{} has a C++ name, so that perf does not find it: declare it extern \"C\"", wanted));
    }
  }
  return mistakes;
}

}  // namespace perfsift::dlfilter
