// An ELF file, compressed or not, as read for names: sections and segments, links to other files, symbols, PLT entries
// and debug information. Unwind information has its own fuzz targets.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "symbolize/dwarf/debug_info.h"
#include "symbolize/elf/compression.h"
#include "symbolize/elf/elf_file.h"
#include "symbolize/symbols/elf_symbols.h"
#include "symbolize/symbols/plt.h"
#include "symbolize/symbols/symbol_table.h"

using namespace perfsift;
using namespace perfsift::symbolize;

namespace {

// Reads all bytes: bytes outside of the file are a find.
std::size_t sum(Bytes bytes) {
  std::size_t total = 0;
  for (const std::byte byte : bytes) total += static_cast<std::size_t>(byte);
  return total;
}
std::size_t sum(std::string_view text) { return sum(std::as_bytes(std::span(text))); }

std::shared_ptr<ElfFile> open(Bytes bytes) {
  constexpr const char* path = "/nowhere/program";
  if (is_packed(bytes)) {
    auto unpacked = unpack(bytes);
    return unpacked ? ElfFile::from_memory(std::move(*unpacked), path) : nullptr;
  }
  return ElfFile::from_memory({bytes.begin(), bytes.end()}, path);
}

std::size_t ask_tables(const ElfFile& file) {
  std::size_t total = sum(file.image()) + sum(file.build_id().hex());
  for (const ElfFile::Section& section : file.sections()) {
    total += sum(section.name) + sum(file.bytes(section)) + is_initialisation(section);
    total += sum(file.string(section.header.sh_link, section.header.sh_name));
  }
  if (const auto link = file.debug_link()) total += sum(link->name);
  for (const GElf_Phdr& segment : file.segments()) {
    total += file.file_offset(segment.p_vaddr).value_or(0) + file.address(segment.p_offset).value_or(0);
  }
  return total + file.has_contents() + file.has_symtab();
}

// Looks up names by file offsets, as in recordings, or by the file's own addresses.
std::size_t ask_symbols(const ElfFile& file, const Placement& place) {
  SymbolTable table;
  add_symtab(file, place, table);
  add_dynsym(file, place, table);
  add_plt(file, place, table);
  table.finish();
  std::size_t total = 0;
  std::uint64_t last = 0;
  for (const Symbol& symbol : table.symbols()) {
    if (symbol.start < last || symbol.end < symbol.start) __builtin_trap();
    last = symbol.start;
    total += sum(symbol.name);
    const Symbol* const found = table.find(symbol.start);
    if (found != nullptr && (found->start > symbol.start || found->end <= symbol.start)) __builtin_trap();
  }
  return total;
}

std::size_t ask_debug_info(const std::shared_ptr<ElfFile>& file) {
  SymbolizeOptions options;
  options.symfs = "/nowhere";
  options.debug_dirs = {};
  const auto info = dwarf::DebugInfo::open(file, "/nowhere/program", options);
  if (!info) return 0;
  std::size_t total = 0;
  std::vector<SourceFrame> frames;
  for (const ElfFile::Section& section : file->sections()) {
    if (!holds_code(section)) continue;
    constexpr std::uint64_t some = 64;
    for (std::uint64_t at = 0; at < section.header.sh_size && at < some; ++at) {
      frames.clear();
      info->append_frames(section.header.sh_addr + at, frames);
      for (const SourceFrame& frame : frames) total += sum(frame.name) + sum(frame.place.file);
    }
  }
  return total;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = open(std::as_bytes(std::span(data, size)));
  if (!file) return 0;
  std::size_t total = ask_tables(*file);
  total += ask_symbols(*file, place_in_file(*file));
  total += ask_symbols(*file, [](std::uint64_t address, const ElfFile::Section&) { return std::optional(address); });
  if (const auto inner = mini_debuginfo(*file)) {
    total += ask_tables(*inner) + ask_symbols(*inner, place_in_file(*file));
  }
  total += ask_debug_info(file);
  return total == ~std::size_t{0} ? 1 : 0;
}
