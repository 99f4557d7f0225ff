// The DWARF sections of a program, each with its number and length before it.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "symbolize/dwarf/debug_info.h"
#include "tests/support/dwarf_program.h"

using namespace perfsift;

namespace {

test::DwarfProgram program_of(Bytes bytes) {
  test::DwarfProgram program;
  for (ByteReader in(bytes); in.remaining() != 0;) {
    const std::size_t number = in.u8() % std::size(test::dwarf_sections);
    const Bytes content = in.bytes(in.u16());
    program.sections[test::dwarf_sections[number]] = {content.begin(), content.end()};
  }
  return program;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const test::DwarfProgram program = program_of(std::as_bytes(std::span(data, size)));
  symbolize::SymbolizeOptions options;
  options.debug_dirs = {};
  const auto file = symbolize::ElfFile::from_memory(program.elf(), "/nowhere/program");
  const auto info = symbolize::dwarf::DebugInfo::open(file, "/nowhere/program", options);
  if (!info) return 0;
  std::vector<symbolize::SourceFrame> frames;
  for (std::uint64_t address = test::DwarfProgram::code; address < test::DwarfProgram::code + 0x100; ++address) {
    frames.clear();
    info->append_frames(address, frames);
    // All names must be readable, and every frame but the last must be an inlined call.
    std::size_t read = 0;
    for (const auto& frame : frames) {
      for (const char c : frame.name) read += static_cast<unsigned char>(c) != 0;
      for (const char c : frame.place.file) read += static_cast<unsigned char>(c) != 0;
      read -= frame.name.size() + frame.place.file.size();
      if (frame.inlined != (&frame != &frames.back())) __builtin_trap();
    }
    if (read != 0) __builtin_trap();
  }
  for (std::uint64_t address = test::DwarfProgram::table; address < test::DwarfProgram::table + 0x100; ++address) {
    const auto variable = info->find_variable(address);
    if (variable && variable->path.size() > 100'000) __builtin_trap();
  }
  return 0;
}
