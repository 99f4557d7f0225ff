// The rule of each address of code, found in one step for an address that was met before.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/hash.h"
#include "symbolize/unwind/architecture.h"
#include "symbolize/unwind/code_patterns.h"
#include "symbolize/unwind/unwinder.h"

namespace perfsift::symbolize {

// The address of a frame, and the rule for the address.
struct AddressRule {
  std::uint64_t address = ~std::uint64_t{0};
  std::uint32_t space = 0;  // AddressSpace::version()
  bool return_address : 1 = false;
  bool executable : 1 = false;  // something executable is mapped there
  bool vsyscall : 1 = false;
  bool made_at_run_time : 1 = false;  // something else may lie there at another time
  bool in_epilogue : 1 = false;       // epilogue() in code_patterns.h knows more than the rule
  const FrameRule* rule = nullptr;    // nullptr: there is no CFI
  const RuleTable* table = nullptr;
};
static_assert(sizeof(AddressRule) <= 32, "a table of them fits into a cache of the CPU");

// An address in the mapped file, or in a piece of code made at run time.
struct AddressInFile {
  const UnwindTable* table = nullptr;    // nullptr: nothing is there
  std::optional<std::uint64_t> address;  // as the file counts; nothing: in none of its segments
};

// Not thread-safe. References are valid until the next call.
class AddressRules {
 public:
  explicit AddressRules(UnwindTables& tables);

  // The rule of a return address is the rule of the call before it.
  const AddressRule& find(std::uint64_t address, bool return_address, Architecture architecture,
                          const AddressSpace& space) {
    const std::uint32_t version = space.version();
    AddressRule& place = rules_[slot(address, version)];
    if (place.address != address || place.space != version || place.return_address != return_address ||
        place.made_at_run_time) [[unlikely]]
      place = look_up(address, return_address, architecture, space);
    return place;
  }
  AddressInFile in_file(std::uint64_t address, Architecture architecture, const AddressSpace& space);
  // See UnwindTable::code_around().
  CodeAround code_around(std::uint64_t address, bool return_address, Architecture architecture,
                         const AddressSpace& space);

 private:
  // A recording has a few thousand addresses: nearly every address has a slot of its own.
  static constexpr unsigned slot_bits = 14;

  static std::size_t slot(std::uint64_t address, std::uint32_t version) {
    const std::uint64_t mixed = spread(address + std::uint64_t{version} * 0xd1342543de82ef95);
    return static_cast<std::size_t>(mixed >> (64 - slot_bits));
  }
  AddressRule look_up(std::uint64_t address, bool return_address, Architecture architecture, const AddressSpace& space);
  AddressInFile in_file(std::uint64_t address, const MappedPart& part, Architecture architecture,
                        const AddressSpace& space);

  // One of the two; neither: the binary was not looked up yet.
  struct TablesOfBinary {
    const UnwindTable* file = nullptr;
    const JitUnwindTables* jit = nullptr;
  };
  const TablesOfBinary& tables_of(std::uint32_t binary, const AddressSpace& space);

  UnwindTables& tables_;
  std::vector<TablesOfBinary> by_binary_;  // by AddressSpace's number
  std::vector<AddressRule> rules_;
};

}  // namespace perfsift::symbolize
