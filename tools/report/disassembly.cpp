#include "tools/report/disassembly.h"

#include <algorithm>
#include <array>
#include <span>

#include <Zydis/Zydis.h>
#include <fmt/format.h>

#include "symbolize/files/missing.h"
#include "symbolize/search/debug_files.h"
#include "symbolize/search/vdso.h"
#include "symbolize/symbols/demangle.h"

namespace perfsift::tools {
namespace {

constexpr std::size_t longest_instruction = 15;

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

class Decoder {
 public:
  Decoder(const symbolize::ElfFile& file, const symbolize::SymbolFile& symbols) : file_(file), names_(symbols) {
    const bool is_64_bit = file.header().e_machine == EM_X86_64;
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

  // Gives nothing for bytes that are no instruction.
  std::optional<Instruction> decode(Bytes code, std::uint64_t offset, std::uint64_t address) const {
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
    Instruction result{.offset = offset,
                       .address = address,
                       .length = instruction.length,
                       .text = as_gnu_writes_it(text.data(), instruction, visible)};
    for (const ZydisDecodedOperand& operand : visible) {
      ZyanU64 target = 0;
      const bool is_target = operand.type == ZYDIS_OPERAND_TYPE_IMMEDIATE && operand.imm.is_relative != 0;
      const bool is_data = operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.base == ZYDIS_REGISTER_RIP;
      if (!is_target && !is_data) continue;
      if (!ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&instruction, &operand, address, &target))) continue;
      if (is_data) result.text += fmt::format("  # {:#x}", target);
      result.text += name_of_target(target);
    }
    return result;
  }

 private:
  // " <f>" or " <f+0x10>", as objdump writes it.
  std::string name_of_target(std::uint64_t address) const {
    const auto offset = file_.file_offset(address);
    const symbolize::Symbol* const symbol = offset ? names_.find(*offset) : nullptr;
    if (symbol == nullptr) return {};
    const std::string name = names_.mangled() ? symbolize::demangle(symbol->name, symbolize::DemangleStyle::plain)
                                              : std::string(symbol->name);
    const std::uint64_t distance = *offset - symbol->start;
    return distance != 0 ? fmt::format(" <{}+{:#x}>", name, distance) : fmt::format(" <{}>", name);
  }

  const symbolize::ElfFile& file_;
  const symbolize::SymbolFile& names_;
  ZydisDecoder decoder_;
  ZydisFormatter formatter_;
};

}  // namespace

Disassembly::Disassembly(const Binary& binary, const symbolize::SymbolFile& names,
                         const symbolize::SymbolizeOptions& options)
    : names_(names) {
  symbolize::Missing missing = symbolize::Missing::none;
  if (binary.kind == BinaryKind::vdso) {
    file_ = symbolize::find_vdso(binary, options, missing);
  } else {
    symbolize::FoundFiles found = symbolize::find_files(binary, options);
    file_ = std::move(found.runtime);
    missing = found.missing;
  }
  if (file_ == nullptr) {
    why_not_ = symbolize::describe(missing);
    return;
  }
  const auto machine = file_->header().e_machine;
  if (machine == EM_X86_64 || machine == EM_386) return;
  why_not_ = "only code for x86 is disassembled";
  file_ = nullptr;
}

std::vector<Instruction> Disassembly::instructions(std::uint64_t from, std::uint64_t until) const {
  std::vector<Instruction> all;
  if (file_ == nullptr) return all;
  const Bytes image = file_->image();
  const Decoder decoder(*file_, names_);
  until = std::min<std::uint64_t>(until, image.size());
  for (std::uint64_t offset = from; offset < until;) {
    const Bytes code = image.subspan(offset, std::min<std::uint64_t>(longest_instruction, until - offset));
    auto instruction = decoder.decode(code, offset, address(offset));
    offset += instruction ? instruction->length : 1;
    if (instruction) all.push_back(std::move(*instruction));
  }
  return all;
}

std::uint64_t Disassembly::address(std::uint64_t offset) const {
  return file_ != nullptr ? file_->address(offset).value_or(offset) : offset;
}

}  // namespace perfsift::tools
