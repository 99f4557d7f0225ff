#include "symbolize/unwind/cfi_program.h"

#include <algorithm>
#include <vector>

#include "base/leb128.h"

namespace perfsift::symbolize {

namespace {

// DWARF 5, 7.24 and the extensions of GNU and of the ARM 64-bit architecture.
namespace cfa {
enum : std::uint8_t {
  nop = 0x00,
  set_loc = 0x01,
  advance_loc1 = 0x02,
  advance_loc2 = 0x03,
  advance_loc4 = 0x04,
  offset_extended = 0x05,
  restore_extended = 0x06,
  undefined = 0x07,
  same_value = 0x08,
  in_register = 0x09,
  remember_state = 0x0a,
  restore_state = 0x0b,
  def_cfa = 0x0c,
  def_cfa_register = 0x0d,
  def_cfa_offset = 0x0e,
  def_cfa_expression = 0x0f,
  expression = 0x10,
  offset_extended_sf = 0x11,
  def_cfa_sf = 0x12,
  def_cfa_offset_sf = 0x13,
  val_offset = 0x14,
  val_offset_sf = 0x15,
  val_expression = 0x16,
  advance_loc8 = 0x1d,             // DW_CFA_MIPS_advance_loc8
  negate_ra_state_with_pc = 0x2c,  // DW_CFA_AARCH64_negate_ra_state_with_pc: the code depends on an address, too
  negate_ra_state = 0x2d,          // DW_CFA_AARCH64_negate_ra_state (SPARC: GNU_window_save)
  args_size = 0x2e,                // DW_CFA_GNU_args_size: of interest to exceptions only
  negative_offset_extended = 0x2f,
  // The upper two bits are the instruction, the lower six its first operand.
  advance_loc = 0x40,
  offset = 0x80,
  restore = 0xc0,
};
}  // namespace cfa

// Compilers nest two or three deep.
constexpr std::size_t max_remembered = 64;

std::int64_t product(std::uint64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(a * static_cast<std::uint64_t>(b));
}

class Machine {
 public:
  Machine(const Fde& fde, const CfiSection& section, const ArchitectureFacts& architecture, const RowCallback& row)
      : fde_(fde), cie_(*fde.cie), section_(section), architecture_(architecture), row_(row), location_(fde.start) {}

  bool run() {
    in_cie_ = true;
    if (!run(cie_.program)) return false;
    in_cie_ = false;
    initial_ = state_;
    if (!run(fde_.program)) return false;
    advance_to(end());
    return true;
  }

 private:
  std::uint64_t end() const { return fde_.start + fde_.size; }

  bool run(Bytes program) {
    ByteReader in(program, section_.order);
    while (in.remaining() != 0) {
      const std::uint8_t byte = in.u8();
      if (!step(byte, in) || !in.ok()) return false;
    }
    return true;
  }

  bool step(std::uint8_t byte, ByteReader& in) {
    const std::uint8_t operand = byte & 0x3f;
    switch (byte & 0xc0) {
      case cfa::advance_loc:
        return advance(operand);
      case cfa::offset:
        return set(operand, Recovery::at_cfa_plus, product(uleb128(in), cie_.data_alignment));
      case cfa::restore:
        return restore(operand);
      default:
        return step_without_operand(byte, in);
    }
  }

  bool step_without_operand(std::uint8_t byte, ByteReader& in) {
    switch (byte) {
      case cfa::nop:
        return true;
      case cfa::set_loc:
        return set_location(in);
      case cfa::advance_loc1:
        return advance(in.u8());
      case cfa::advance_loc2:
        return advance(in.u16());
      case cfa::advance_loc4:
        return advance(in.u32());
      case cfa::advance_loc8:
        return advance(in.u64());
      case cfa::remember_state:
        if (remembered_.size() == max_remembered) return false;
        remembered_.push_back(state_);
        return true;
      case cfa::restore_state:
        if (remembered_.empty()) return false;
        state_ = remembered_.back();
        remembered_.pop_back();
        return true;
      case cfa::args_size:
        uleb128(in);
        return true;
      case cfa::negate_ra_state_with_pc:
      case cfa::negate_ra_state:  // whether the return address is signed: its code is taken off in any case
        return true;
      case cfa::def_cfa:
      case cfa::def_cfa_sf:
      case cfa::def_cfa_register:
      case cfa::def_cfa_offset:
      case cfa::def_cfa_offset_sf:
      case cfa::def_cfa_expression:
        return define_cfa(byte, in);
      default:
        return define_register(byte, in);
    }
  }

  bool define_cfa(std::uint8_t byte, ByteReader& in) {
    const bool names_register = byte == cfa::def_cfa || byte == cfa::def_cfa_sf || byte == cfa::def_cfa_register;
    // After an expression, naming a register makes the rule one of register and offset again, as for
    // execute_cfa_program() of libgcc.
    if (names_register) {
      state_.cfa_register = uleb128(in);
      state_.has_cfa_expression = false;
    }
    switch (byte) {
      case cfa::def_cfa:
      case cfa::def_cfa_offset:
        state_.cfa_offset = static_cast<std::int64_t>(uleb128(in));
        break;
      case cfa::def_cfa_sf:
      case cfa::def_cfa_offset_sf:
        state_.cfa_offset = product(static_cast<std::uint64_t>(sleb128(in)), cie_.data_alignment);
        break;
      case cfa::def_cfa_expression:
        state_.cfa_expression = in.bytes(uleb128(in));
        state_.has_cfa_expression = true;
        break;
      default:
        break;
    }
    return true;
  }

  bool define_register(std::uint8_t byte, ByteReader& in) {
    const std::uint64_t number = uleb128(in);
    switch (byte) {
      case cfa::offset_extended:
        return set(number, Recovery::at_cfa_plus, product(uleb128(in), cie_.data_alignment));
      case cfa::offset_extended_sf:
        return set(number, Recovery::at_cfa_plus, product(signed_operand(in), cie_.data_alignment));
      case cfa::negative_offset_extended:
        return set(number, Recovery::at_cfa_plus, -product(uleb128(in), cie_.data_alignment));
      case cfa::val_offset:
        return set(number, Recovery::cfa_plus, product(uleb128(in), cie_.data_alignment));
      case cfa::val_offset_sf:
        return set(number, Recovery::cfa_plus, product(signed_operand(in), cie_.data_alignment));
      case cfa::in_register:
        return set(number, Recovery::in_register, static_cast<std::int64_t>(uleb128(in)));
      case cfa::expression:
        return set(number, Recovery::at_expression, 0, in.bytes(uleb128(in)));
      case cfa::val_expression:
        return set(number, Recovery::expression, 0, in.bytes(uleb128(in)));
      case cfa::undefined:
        return set(number, Recovery::undefined, 0);
      case cfa::same_value:
        return keep(number);
      case cfa::restore_extended:
        return restore(number);
      default:
        return false;
    }
  }

  static std::uint64_t signed_operand(ByteReader& in) { return static_cast<std::uint64_t>(sleb128(in)); }

  bool kept(std::uint64_t number) const { return number < architecture_.registers; }

  bool set(std::uint64_t number, Recovery how, std::int64_t value, Bytes expression = {}) {
    if (!kept(number)) return true;
    state_.ruled |= std::uint64_t{1} << number;
    state_.registers[number] = {.how = how, .value = value, .expression = expression};
    return true;
  }

  bool keep(std::uint64_t number) {
    if (kept(number)) state_.ruled &= ~(std::uint64_t{1} << number);
    return true;
  }

  bool restore(std::uint64_t number) {
    if (in_cie_) return false;
    if (!kept(number)) return true;
    if ((initial_.ruled >> number & 1) == 0) return keep(number);
    state_.ruled |= std::uint64_t{1} << number;
    state_.registers[number] = initial_.registers[number];
    return true;
  }

  bool set_location(ByteReader& in) {
    const std::uint64_t at = section_.address + static_cast<std::uint64_t>(section_.bytes.size() - in.remaining());
    // Pointers relative to the operand are not meant for instructions, and no producer writes them: so they are
    // refused.
    if ((cie_.pointer_encoding & 0x70) == 0x10) return false;
    const auto location = read_encoded(in, cie_.pointer_encoding, cie_.address_size, at, section_);
    return location && *location >= location_ && advance_to(*location);
  }

  bool advance(std::uint64_t delta) {
    const std::uint64_t bytes = delta * cie_.code_alignment;
    if (cie_.code_alignment != 0 && bytes / cie_.code_alignment != delta) return false;
    return bytes <= ~std::uint64_t{0} - location_ && advance_to(location_ + bytes);
  }

  // Rows behind the end of the function are ignored; they are no error.
  bool advance_to(std::uint64_t location) {
    if (in_cie_) return false;
    const std::uint64_t until = std::min(location, end());
    if (until > location_) row_(location_, until, state_);
    location_ = std::max(location_, location);
    return true;
  }

  const Fde& fde_;
  const Cie& cie_;
  const CfiSection& section_;
  const ArchitectureFacts& architecture_;
  const RowCallback& row_;
  FrameState state_, initial_;
  std::vector<FrameState> remembered_;
  std::uint64_t location_;
  bool in_cie_ = false;
};

}  // namespace

bool run_cfi_program(const Fde& fde, const CfiSection& section, const ArchitectureFacts& architecture,
                     const RowCallback& row) {
  if (fde.size > ~std::uint64_t{0} - fde.start) return false;
  return Machine(fde, section, architecture, row).run();
}

}  // namespace perfsift::symbolize
