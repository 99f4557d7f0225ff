// The instructions of a function in a program, library or vdso.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/binary.h"
#include "symbolize/elf/elf_file.h"
#include "symbolize/symbolizer.h"
#include "tools/instructions/instruction_decoder.h"

namespace perfsift::tools {

struct Instruction {
  std::uint64_t offset = 0;  // in the file: CodeAddress::offset
  std::uint64_t address = 0;
  std::uint8_t length = 0;
  std::string text;  // as the GNU assembler writes it
};

// The code of one binary. Not thread-safe.
class Disassembly {
 public:
  // Looks for the file by the build id, as names are looked for.
  Disassembly(const Binary& binary, const symbolize::SymbolFile& names, const symbolize::SymbolizeOptions& options);

  // Why there are no instructions; empty: there are.
  const std::string& why_not() const { return why_not_; }
  // The instructions from one offset in the file to another. Bytes that are no instruction are passed over one by one.
  std::vector<Instruction> instructions(std::uint64_t from, std::uint64_t until) const;
  // The file's own address of an offset; the offset itself if it is not known.
  std::uint64_t address(std::uint64_t offset) const;

 private:
  std::string text_of(const Target& target) const;

  const symbolize::SymbolFile& names_;
  std::shared_ptr<symbolize::ElfFile> file_;
  std::unique_ptr<InstructionDecoder> decoder_;
  std::string why_not_;
};

}  // namespace perfsift::tools
