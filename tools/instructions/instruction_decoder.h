// Decodes instructions of one processor. Zydis knows x86 best, and capstone knows aarch64: see x86_decoder.cpp and
// aarch64_decoder.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/byte_reader.h"

namespace perfsift::tools {

// An address that an instruction jumps to or reads.
struct Target {
  std::uint64_t address = 0;
  bool shown = false;  // the text of the instruction has the address
};

struct DecodedInstruction {
  std::uint8_t length = 0;
  std::string text;  // as the GNU assembler writes it
  std::vector<Target> targets;
};

// Not thread-safe.
class InstructionDecoder {
 public:
  virtual ~InstructionDecoder() = default;
  // The most bytes that an instruction has.
  virtual std::size_t longest() const = 0;
  // The instruction at the start of `code`; nothing for bytes that are no instruction, or a part of one.
  virtual std::optional<DecodedInstruction> decode(Bytes code, std::uint64_t address) const = 0;
};

std::unique_ptr<InstructionDecoder> make_x86_decoder(bool is_64_bit);
// nullptr: capstone is not on this machine, which the text says.
std::unique_ptr<InstructionDecoder> make_aarch64_decoder();
std::string why_no_aarch64_decoder();

// The decoder by e_machine of an ELF file; nullptr: the code cannot be decoded.
std::unique_ptr<InstructionDecoder> decoder_of(std::uint16_t elf_machine);

}  // namespace perfsift::tools
