// The instructions of a function in a program, library, vdso, kernel or module.
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
  std::uint64_t offset = 0;  // CodeAddress::offset
  std::uint64_t address = 0;
  std::uint8_t length = 0;
  std::string text;  // as the GNU assembler writes it
};

// The code of one binary. Not thread-safe.
class Disassembly {
 public:
  // Looks for the file by the build id, as names are looked for. The code of a kernel is that of its vmlinux, as it was
  // before the kernel patched itself at its start.
  Disassembly(const Binary& binary, const symbolize::SymbolFile& names, const symbolize::SymbolizeOptions& options);

  // Why there are no instructions; empty: there are.
  const std::string& why_not() const { return why_not_; }
  // The instructions from one offset to another. Bytes that are no instruction are passed over one by one.
  std::vector<Instruction> instructions(std::uint64_t from, std::uint64_t until) const;
  // The file's own address of an offset; the offset itself if it is not known.
  std::uint64_t address(std::uint64_t offset) const;

 private:
  void open(const Binary& binary, const symbolize::SymbolizeOptions& options);
  // The section of code at an offset of a kernel or module; nullptr: none.
  const symbolize::ElfFile::Section* section_at(std::uint64_t offset) const;
  // The code from an offset on, as far as it lies together.
  Bytes code_at(std::uint64_t offset) const;
  std::optional<std::uint64_t> offset_of(std::uint64_t address) const;
  std::string text_of(const Target& target) const;

  const symbolize::SymbolFile& names_;
  std::shared_ptr<const symbolize::ElfFile> file_;
  std::optional<std::uint64_t> moved_by_;  // LinkedCode::moved_by; nothing: offsets are those in the file
  std::unique_ptr<InstructionDecoder> decoder_;
  std::string why_not_;
};

}  // namespace perfsift::tools
