// Files of the symbol cache with right checksums and random tables: a byte that selects the kind of tables, then the
// parts, each with its length before it.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <unistd.h>

#include "symbolize/dwarf/cached_debug_info.h"
#include "symbolize/symbols/cached_symbols.h"
#include "symbolize/unwind/architecture.h"
#include "symbolize/unwind/cached_rules.h"

using namespace perfsift;
using namespace perfsift::symbolize;

namespace {

constexpr std::uint64_t limit = 1 << 20;

std::shared_ptr<const CacheFile> file_of(ByteReader& in) {
  const std::string path = std::filesystem::temp_directory_path() / ("symbol-cache-fuzz." + std::to_string(getpid()));
  CacheFileWriter writer(path, "fuzz", limit);
  while (in.remaining() != 0) writer.add(in.bytes(std::min<std::size_t>(in.u16(), in.remaining())));
  writer.commit();
  auto file = CacheFile::open(path, "fuzz");
  unlink(path.c_str());
  return file;
}

// Reads all bytes of a text.
std::size_t sum_of(std::string_view text) {
  std::size_t sum = 0;
  for (const char c : text) sum += static_cast<unsigned char>(c);
  return sum;
}

std::size_t ask_units(const std::shared_ptr<const CacheFile>& file) {
  std::size_t sum = 0;
  const auto info = CachedDebugInfo::open(file);
  if (!info) return sum;
  for (std::uint32_t number = 0; number < info->unit_count() && number < 8; ++number) {
    const auto unit = info->unit(number);
    if (!unit) continue;
    std::vector<SourceFrame> frames;
    for (std::uint64_t address = 0; address < 0x100; ++address) {
      frames.clear();
      unit->append_frames(address << (number * 8), frames);
      for (const SourceFrame& frame : frames) sum += sum_of(frame.name) + sum_of(frame.place.file);
    }
    info->cover().find(number);
  }
  return sum;
}

std::size_t ask_rules(const std::shared_ptr<const CacheFile>& file) {
  std::size_t sum = 0;
  const auto rules = CachedRules::open(file, 64);
  for (std::size_t number = 0; rules && number < 8; ++number) {
    const auto table = rules->group(number);
    for (std::uint32_t address = 0; table && address < 0x100; ++address) {
      const FrameRule* rule = table->find(address);
      if (rule == nullptr) continue;
      if (rule->is(FrameRule::plain) && rule->cfa_register >= max_registers) __builtin_trap();
      if (rule->cfa_register == FrameRule::cfa_is_expression)
        for (const std::byte byte : table->expression(rule->cfa_offset, rule->cfa_size))
          sum += std::to_integer<unsigned>(byte);
      for (std::size_t i = 0; i < rule->register_count; ++i) {
        const RegisterRule& r = table->registers[rule->first_register + i];
        if (r.number >= max_registers) __builtin_trap();
        if (r.how == Recovery::expression || r.how == Recovery::at_expression)
          for (const std::byte byte : table->expression(r.value, r.size)) sum += std::to_integer<unsigned>(byte);
      }
    }
  }
  return sum;
}

std::size_t ask_symbols(const std::shared_ptr<const CacheFile>& file) {
  std::size_t sum = 0;
  SymbolTable table;
  if (!read_symbols(file, table)) return sum;
  for (const Symbol& symbol : table.symbols()) sum += sum_of(symbol.name);
  for (std::uint64_t address = 0; address < 0x100; ++address)
    if (const Symbol* symbol = table.find(address)) sum += sum_of(symbol->name);
  return sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteReader in(std::as_bytes(std::span(data, size)));
  const std::uint8_t kind = in.u8() % 3;
  const auto file = file_of(in);
  volatile std::size_t sum = kind == 0 ? ask_units(file) : kind == 1 ? ask_rules(file) : ask_symbols(file);
  (void)sum;
  return 0;
}
