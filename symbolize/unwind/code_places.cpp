#include "symbolize/unwind/code_places.h"

namespace perfsift::symbolize {

CodePlaces::CodePlaces(UnwindTables& tables) : tables_(tables), places_(std::size_t{1} << slot_bits) {}

PlaceInFile CodePlaces::in_file(std::uint64_t address, const AddressSpace& space) {
  const auto part = space.find(address);
  return part ? in_file(address, *part, space) : PlaceInFile{};
}

PlaceInFile CodePlaces::in_file(std::uint64_t address, const MappedPart& part, const AddressSpace& space) {
  if (part.binary >= by_binary_.size()) by_binary_.resize(std::size_t{part.binary} + 1, nullptr);
  const UnwindTable*& table = by_binary_[part.binary];
  if (table == nullptr) table = &tables_.table(space.binary(part.binary));
  return {.table = table, .address = table->address_of(address - part.start + part.page_offset)};
}

CodeAround CodePlaces::code_around(std::uint64_t address, const AddressSpace& space) {
  const PlaceInFile before = in_file(address - CodeAround::before, space);
  return {.bytes = before.address ? before.table->read_only(*before.address) : Bytes{}};
}

CodePlace CodePlaces::look_up(std::uint64_t address, bool return_address, Architecture architecture,
                              const AddressSpace& space) {
  CodePlace place{.address = address, .space = space.version(), .return_address = return_address};
  const std::uint64_t inside = return_address ? address - 1 : address;
  const auto part = space.find(inside);
  if (!part || !part->executable) return place;
  place.executable = true;
  place.vsyscall = space.binary(part->binary).kind == BinaryKind::vsyscall;

  const PlaceInFile here = in_file(inside, *part, space);
  if (!here.address || here.table->architecture() != architecture) return place;
  // A handler "returns" to the first instruction of the trampoline. glibc and the kernel let their CFI begin a byte
  // earlier for that; others do not.
  const bool trampoline = return_address && here.table->signal_frame_starts(*here.address + 1);
  auto found = here.table->find(trampoline ? *here.address + 1 : *here.address);
  // In its system call the program counter is after its last instruction.
  if (!return_address && found.rule == nullptr) {
    const auto before = here.table->find(*here.address - 1);
    if (before.rule != nullptr && before.rule->is(FrameRule::signal_frame)) found = before;
  }
  place.rule = found.rule;
  place.table = found.table;
  return place;
}

}  // namespace perfsift::symbolize
