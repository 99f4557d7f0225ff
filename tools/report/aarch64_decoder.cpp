#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <capstone/capstone.h>
#include <fmt/format.h>

#include "base/owned.h"
#include "tools/report/aarch64_words.h"
#include "tools/report/instruction_decoder.h"

namespace perfsift::tools {
namespace {

struct CloseCapstone {
  void operator()(csh* handle) const {
    cs_close(handle);
    delete handle;
  }
};

// Whether the last operand is an address.
bool has_target(unsigned id) {
  switch (id) {
    case ARM64_INS_B:
    case ARM64_INS_BL:
    case ARM64_INS_CBZ:
    case ARM64_INS_CBNZ:
    case ARM64_INS_TBZ:
    case ARM64_INS_TBNZ:
    case ARM64_INS_ADR:
      return true;
    default:
      return false;
  }
}

// capstone 4 writes negative offsets as numbers of 64 bits, writes "#" before addresses, and some moves by the names of
// other instructions.
std::string as_gnu_writes_it(const cs_insn& instruction) {
  std::string mnemonic = instruction.mnemonic, operands = instruction.op_str;
  const std::size_t negative = operands.find("], #0xffffffff");
  if (negative != std::string::npos) {
    const std::size_t number = negative + std::strlen("], #");
    const std::uint64_t offset = std::strtoull(operands.c_str() + number, nullptr, 16);
    operands.replace(number, std::string::npos, fmt::format("-{:#x}", ~offset + 1));
  }
  const std::size_t zero = operands.find("zr, #");
  if (instruction.id == ARM64_INS_ORR && zero != std::string::npos) {
    mnemonic = "mov";
    operands.erase(zero - 1, std::strlen("xzr, "));
  }
  if (instruction.id == ARM64_INS_INS) mnemonic = "mov";
  if (has_target(instruction.id)) {
    if (const std::size_t sign = operands.rfind('#'); sign != std::string::npos) operands.erase(sign, 1);
  }
  return operands.empty() ? mnemonic : fmt::format("{} {}", mnemonic, operands);
}

class Aarch64Decoder : public InstructionDecoder {
 public:
  Aarch64Decoder() : instruction_(nullptr) {
    auto handle = std::make_unique<csh>();
    if (cs_open(CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, handle.get()) != CS_ERR_OK) return;
    capstone_.reset(handle.release());
    cs_option(*capstone_, CS_OPT_DETAIL, CS_OPT_ON);
    instruction_.reset(cs_malloc(*capstone_));
  }

  std::size_t longest() const override { return aarch64_word; }

  std::optional<DecodedInstruction> decode(Bytes code, std::uint64_t address) const override {
    if (code.size() < aarch64_word) return std::nullopt;
    std::uint32_t word = 0;
    std::memcpy(&word, code.data(), sizeof word);
    DecodedInstruction decoded{.length = aarch64_word, .text = text_of_aarch64_word(word), .targets = {}};
    if (decoded.text.empty() && !decode_by_capstone(code, address, decoded))
      decoded.text = fmt::format(".inst {:#010x}", word);
    return decoded;
  }

 private:
  bool decode_by_capstone(Bytes code, std::uint64_t address, DecodedInstruction& decoded) const {
    if (instruction_ == nullptr) return false;
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(code.data());
    std::size_t left = aarch64_word;
    std::uint64_t next = address;
    if (!cs_disasm_iter(*capstone_, &bytes, &left, &next, instruction_.get())) return false;
    const cs_insn& instruction = *instruction_;
    decoded.text = as_gnu_writes_it(instruction);
    const cs_arm64& detail = instruction.detail->arm64;
    if (!has_target(instruction.id) || detail.op_count == 0) return true;
    const cs_arm64_op& last = detail.operands[detail.op_count - 1];
    if (last.type == ARM64_OP_IMM)
      decoded.targets.push_back({.address = static_cast<std::uint64_t>(last.imm), .shown = true});
    return true;
  }

  static void free_instruction(cs_insn* instruction) { cs_free(instruction, 1); }

  std::unique_ptr<csh, CloseCapstone> capstone_;
  Owned<cs_insn, free_instruction> instruction_;
};

}  // namespace

std::unique_ptr<InstructionDecoder> make_aarch64_decoder() { return std::make_unique<Aarch64Decoder>(); }

}  // namespace perfsift::tools
