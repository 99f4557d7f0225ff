#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <capstone/capstone.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include "base/loaded_function.h"
#include "base/owned.h"
#include "tools/instructions/aarch64_words.h"
#include "tools/instructions/instruction_decoder.h"

namespace perfsift::tools {
namespace {

std::string capstone_library() { return fmt::format("libcapstone.so.{}", CS_API_MAJOR); }

// capstone, loaded when code of aarch64 is to be shown: loading its tables takes as long as starting perfsift.
class Capstone {
 public:
  Capstone() : library_(dlopen(capstone_library().c_str(), RTLD_NOW | RTLD_LOCAL)) {
    const auto look_up = [this](auto& function, const char* name) {
      return find_function(library_.get(), name, function);
    };
    ready_ = library_ && look_up(open, "cs_open") && look_up(close, "cs_close") && look_up(option, "cs_option") &&
             look_up(make, "cs_malloc") && look_up(free, "cs_free") && look_up(decode, "cs_disasm_iter");
  }

  bool is_ready() const { return ready_; }
  decltype(&cs_open) open = nullptr;
  decltype(&cs_close) close = nullptr;
  decltype(&cs_option) option = nullptr;
  decltype(&cs_malloc) make = nullptr;
  decltype(&cs_free) free = nullptr;
  decltype(&cs_disasm_iter) decode = nullptr;

 private:
  const Owned<void, dlclose> library_;
  bool ready_ = false;
};

const Capstone& capstone() {
  static const Capstone library;
  return library;
}

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
  Aarch64Decoder() {
    if (capstone().open(CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, &handle_) != CS_ERR_OK) return;
    capstone().option(handle_, CS_OPT_DETAIL, CS_OPT_ON);
    instruction_ = capstone().make(handle_);
  }
  ~Aarch64Decoder() override {
    if (instruction_ != nullptr) capstone().free(instruction_, 1);
    if (handle_ != 0) capstone().close(&handle_);
  }
  Aarch64Decoder(const Aarch64Decoder&) = delete;
  Aarch64Decoder& operator=(const Aarch64Decoder&) = delete;

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
    if (!capstone().decode(handle_, &bytes, &left, &next, instruction_)) return false;
    const cs_insn& instruction = *instruction_;
    decoded.text = as_gnu_writes_it(instruction);
    const cs_arm64& detail = instruction.detail->arm64;
    if (!has_target(instruction.id) || detail.op_count == 0) return true;
    const cs_arm64_op& last = detail.operands[detail.op_count - 1];
    if (last.type == ARM64_OP_IMM)
      decoded.targets.push_back({.address = static_cast<std::uint64_t>(last.imm), .shown = true});
    return true;
  }

  csh handle_ = 0;
  cs_insn* instruction_ = nullptr;
};

}  // namespace

std::string why_no_aarch64_decoder() {
  return fmt::format("instructions of aarch64 need {} (apt install libcapstone{})", capstone_library(), CS_API_MAJOR);
}

std::unique_ptr<InstructionDecoder> make_aarch64_decoder() {
  return capstone().is_ready() ? std::make_unique<Aarch64Decoder>() : nullptr;
}

}  // namespace perfsift::tools
