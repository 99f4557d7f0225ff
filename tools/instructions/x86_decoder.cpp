#include <algorithm>
#include <array>
#include <span>

#include <Zydis/Zydis.h>
#include <fmt/format.h>

#include "tools/instructions/instruction_decoder.h"

namespace perfsift::tools {
namespace {

bool is_vector(const ZydisDecodedOperand& operand) {
  if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER) return false;
  switch (ZydisRegisterGetClass(operand.reg.value)) {
    case ZYDIS_REGCLASS_MMX:
    case ZYDIS_REGCLASS_XMM:
    case ZYDIS_REGCLASS_YMM:
    case ZYDIS_REGCLASS_ZMM:
    case ZYDIS_REGCLASS_MASK:
      return true;
    default:
      return false;
  }
}

// Zydis writes the size of memory behind each mnemonic, and GNU as has other mnemonics for vectors: movsd is movsdq to
// Zydis. Only an integer that becomes a float has a size beside a vector register: cvtsi2sdl.
std::string as_gnu_writes_it(std::string text, const ZydisDecodedInstruction& instruction,
                             std::span<const ZydisDecodedOperand> operands) {
  const std::string_view mnemonic = ZydisMnemonicGetString(instruction.mnemonic);
  const std::size_t begin = text.find(mnemonic);
  if (begin == std::string::npos) return text;
  const std::size_t suffix = begin + mnemonic.size(), end = std::min(text.find(' ', suffix), text.size());
  if (instruction.mnemonic == ZYDIS_MNEMONIC_NOP && operands.size() > 1) {  // 0f 1f: the register is not written
    return text.substr(0, suffix) + (instruction.operand_width == 16 ? "w " : "l ") + text.substr(text.rfind(", ") + 2);
  }
  const bool from_integer = mnemonic.find("si2s") != std::string_view::npos;
  if (!from_integer && std::ranges::any_of(operands, is_vector)) text.erase(suffix, end - suffix);
  return text;
}

class X86Decoder : public InstructionDecoder {
 public:
  explicit X86Decoder(bool is_64_bit) {
    ZydisDecoderInit(&decoder_, is_64_bit ? ZYDIS_MACHINE_MODE_LONG_64 : ZYDIS_MACHINE_MODE_LONG_COMPAT_32,
                     is_64_bit ? ZYDIS_STACK_WIDTH_64 : ZYDIS_STACK_WIDTH_32);
    ZydisFormatterInit(&formatter_, ZYDIS_FORMATTER_STYLE_ATT);
    for (const auto property : {ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE, ZYDIS_FORMATTER_PROP_ADDR_PADDING_RELATIVE,
                                ZYDIS_FORMATTER_PROP_DISP_PADDING, ZYDIS_FORMATTER_PROP_IMM_PADDING}) {
      ZydisFormatterSetProperty(&formatter_, property, ZYDIS_PADDING_DISABLED);
    }
    ZydisFormatterSetProperty(&formatter_, ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE);
    ZydisFormatterSetProperty(&formatter_, ZYDIS_FORMATTER_PROP_FORCE_RELATIVE_RIPREL, ZYAN_TRUE);
    // Immediates are as wide as the operand: $0x9e3779b1 beside %eax, $0xffffffff9e3779b1 beside %rax.
    ZydisFormatterSetProperty(&formatter_, ZYDIS_FORMATTER_PROP_IMM_SIGNEDNESS, ZYDIS_SIGNEDNESS_UNSIGNED);
  }

  std::size_t longest() const override { return ZYDIS_MAX_INSTRUCTION_LENGTH; }

  std::optional<DecodedInstruction> decode(Bytes code, std::uint64_t address) const override {
    ZydisDecodedInstruction instruction;
    std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder_, code.data(), code.size(), &instruction, operands.data()))) {
      return std::nullopt;
    }
    std::array<char, 256> text;
    if (!ZYAN_SUCCESS(ZydisFormatterFormatInstruction(&formatter_, &instruction, operands.data(),
                                                      instruction.operand_count_visible, text.data(), text.size(),
                                                      address, nullptr))) {
      return std::nullopt;
    }
    const std::span visible(operands.data(), instruction.operand_count_visible);
    DecodedInstruction result{
        .length = instruction.length, .text = as_gnu_writes_it(text.data(), instruction, visible), .targets = {}};
    for (const ZydisDecodedOperand& operand : visible) {
      ZyanU64 target = 0;
      const bool is_target = operand.type == ZYDIS_OPERAND_TYPE_IMMEDIATE && operand.imm.is_relative != 0;
      const bool is_data = operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.base == ZYDIS_REGISTER_RIP;
      if (!is_target && !is_data) continue;
      if (!ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&instruction, &operand, address, &target))) continue;
      result.targets.push_back({.address = target, .shown = is_target});
    }
    return result;
  }

 private:
  ZydisDecoder decoder_;
  ZydisFormatter formatter_;
};

}  // namespace

std::unique_ptr<InstructionDecoder> make_x86_decoder(bool is_64_bit) { return std::make_unique<X86Decoder>(is_64_bit); }

}  // namespace perfsift::tools
