#include "tools/doctor/library_facts.h"

#include <array>
#include <filesystem>
#include <optional>
#include <string_view>

#include "symbolize/search/debug_files.h"
#include "symbolize/unwind/unwind_table.h"

namespace perfsift::tools {
namespace {

// Smaller functions often call nothing, and then need no frame.
constexpr std::uint64_t large_enough = 32;

constexpr std::array folders = {"/lib/x86_64-linux-gnu",
                                "/usr/lib/x86_64-linux-gnu",
                                "/lib/aarch64-linux-gnu",
                                "/usr/lib/aarch64-linux-gnu",
                                "/lib64",
                                "/usr/lib64",
                                "/lib",
                                "/usr/lib"};
// Of glibc and of musl, which is its own loader.
constexpr std::array<std::array<const char*, 3>, 2> names = {
    {{"libc.so.6", "ld-musl-x86_64.so.1", "ld-musl-aarch64.so.1"}, {"libstdc++.so.6", "libc++.so.1", ""}}};

// The first library of these names.
std::optional<std::string> find_library(const std::array<const char*, 3>& wanted, const std::string& root) {
  std::error_code ignored;
  for (const char* const name : wanted) {
    for (const char* const folder : folders) {
      const std::string path = std::string(folder) + '/' + name;
      if (*name != '\0' && std::filesystem::is_regular_file(root + path, ignored)) return path;
    }
  }
  return std::nullopt;
}

void count_frame_pointers(const symbolize::UnwindTable& table, const symbolize::SymbolFile& symbols,
                          LibraryFacts& facts) {
  for (const symbolize::Symbol& symbol : symbols.symbols()) {
    if (symbol.end - symbol.start < large_enough) continue;
    const auto middle = table.address_of(symbol.start + (symbol.end - symbol.start) / 2);
    if (!middle || table.find(*middle).rule == nullptr) continue;
    ++facts.functions;
    if (!table.is_frameless(*middle)) ++facts.with_frame_pointer;
  }
}

LibraryFacts facts_of(const std::string& path, const symbolize::SymbolizeOptions& options) {
  const Binary library{.path = path};
  LibraryFacts facts{.path = path, .build_id = {}};
  const symbolize::FoundFiles found = symbolize::find_files(library, options);
  facts.debug_info = found.debug_info != nullptr;
  if (!found.runtime) return facts;
  facts.build_id = found.runtime->build_id();
  const symbolize::UnwindTable table(found.runtime, found.symbols, options);
  facts.rules = table.function_count();
  symbolize::Symbolizer symbolizer(options);
  count_frame_pointers(table, symbolizer.file(library), facts);
  return facts;
}

}  // namespace

std::vector<LibraryFacts> main_libraries(const symbolize::SymbolizeOptions& options) {
  std::vector<LibraryFacts> all;
  for (const auto& wanted : names)
    if (const auto path = find_library(wanted, options.symfs)) all.push_back(facts_of(*path, options));
  return all;
}

}  // namespace perfsift::tools
