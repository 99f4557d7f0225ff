#include "tools/instructions/instruction_decoder.h"

#include <elf.h>

namespace perfsift::tools {

std::unique_ptr<InstructionDecoder> decoder_of(std::uint16_t elf_machine) {
  switch (elf_machine) {
    case EM_X86_64:
    case EM_386:
      return make_x86_decoder(elf_machine == EM_X86_64);
    case EM_AARCH64:
      return make_aarch64_decoder();
    default:
      return nullptr;
  }
}

}  // namespace perfsift::tools
