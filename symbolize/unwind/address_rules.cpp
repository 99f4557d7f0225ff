#include "symbolize/unwind/address_rules.h"

#include "base/binary.h"

namespace perfsift::symbolize {

AddressRules::AddressRules(UnwindTables& tables) : tables_(tables), rules_(std::size_t{1} << slot_bits) {}

AddressInFile AddressRules::in_file(std::uint64_t address, Architecture architecture, const AddressSpace& space) {
  const auto part = space.find(address);
  return part ? in_file(address, *part, architecture, space) : AddressInFile{};
}

const AddressRules::TablesOfBinary& AddressRules::tables_of(std::uint32_t number, const AddressSpace& space) {
  if (number >= by_binary_.size()) by_binary_.resize(std::size_t{number} + 1);
  TablesOfBinary& known = by_binary_[number];
  if (known.file != nullptr || known.jit != nullptr) return known;
  const Binary& binary = space.binary(number);
  if (binary.kind == BinaryKind::jit_dump)
    known.jit = &tables_.jit_tables(binary);
  else
    known.file = &tables_.table(binary);
  return known;
}

AddressInFile AddressRules::in_file(std::uint64_t address, const MappedPart& part, Architecture architecture,
                                    const AddressSpace& space) {
  const std::uint64_t offset = address - part.start + part.page_offset;
  const TablesOfBinary& tables = tables_of(part.binary, space);
  if (tables.file != nullptr) return {.table = tables.file, .address = tables.file->address_of(offset)};
  const UnwindTable* const table = tables.jit->find(offset, space.code_time(), architecture);
  return table == nullptr ? AddressInFile{} : AddressInFile{.table = table, .address = offset};
}

CodeAround AddressRules::code_around(std::uint64_t address, bool return_address, Architecture architecture,
                                     const AddressSpace& space) {
  const std::uint64_t inside = call_site(address, return_address);
  const AddressInFile here = in_file(inside, architecture, space);
  return here.address ? here.table->code_around(*here.address + (address - inside), return_address) : CodeAround{};
}

AddressRule AddressRules::look_up(std::uint64_t address, bool return_address, Architecture architecture,
                                  const AddressSpace& space) {
  AddressRule place{.address = address, .space = space.version(), .return_address = return_address};
  const std::uint64_t inside = call_site(address, return_address);
  const auto part = space.find(inside);
  if (!part || !part->executable) return place;
  place.executable = true;
  const BinaryKind kind = space.binary(part->binary).kind;
  place.vsyscall = kind == BinaryKind::vsyscall;
  place.made_at_run_time = kind == BinaryKind::jit_dump;

  const AddressInFile here = in_file(inside, *part, architecture, space);
  if (!here.address || here.table->architecture() != architecture) return place;
  // A handler "returns" to the first instruction of the trampoline. The CFI of glibc and of the
  // kernel starts a byte earlier for that reason; other CFI does not.
  const bool trampoline = return_address && here.table->signal_frame_starts(*here.address + 1);
  auto found = here.table->find(trampoline ? *here.address + 1 : *here.address);
  // During the system call of a trampoline, the program counter is behind the trampoline's last instruction.
  if (!return_address && found.rule == nullptr) {
    const auto before = here.table->find(*here.address - 1);
    if (before.rule != nullptr && before.rule->is(FrameRule::signal_frame)) found = before;
  }
  place.rule = found.rule;
  place.table = found.table;
  if (!return_address)
    place.in_epilogue = epilogue(facts_of(architecture), here.table->code_around(*here.address, false)).has_value();
  return place;
}

}  // namespace perfsift::symbolize
