#include "dlfilters/host/instruction.h"

#include <Zydis/Zydis.h>

namespace perfsift::dlfilter {

std::size_t x86_instruction_length(Bytes code, bool is_64_bit) {
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, is_64_bit ? ZYDIS_MACHINE_MODE_LONG_64 : ZYDIS_MACHINE_MODE_LONG_COMPAT_32,
                   is_64_bit ? ZYDIS_STACK_WIDTH_64 : ZYDIS_STACK_WIDTH_32);
  ZydisDecodedInstruction instruction;
  const ZyanStatus status = ZydisDecoderDecodeInstruction(&decoder, nullptr, code.data(), code.size(), &instruction);
  return ZYAN_SUCCESS(status) ? instruction.length : 0;
}

}  // namespace perfsift::dlfilter
