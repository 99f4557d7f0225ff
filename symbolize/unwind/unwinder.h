// Makes the call stack of a sample from its registers and copied stack.
//
// Start here. perf record --call-graph dwarf writes, with every sample, the user registers and the bytes above the
// stack pointer. An Unwinder finds the callers in them, frame by frame:
//
//   code address --AddressSpace--> binary, offset --UnwindTable--> rule: the places of the caller's registers
//
//   unwind_tables, unwind_table   one per binary: finds the file, indexes its functions, compiles rules on first use
//   jit_unwind_tables             one per piece of code made at run time
//   rule_table                    the rules: flat tables
//   cfi_section, cfi_program, rule_compiler, expression   the sources of rules: .eh_frame, .debug_frame
//   architecture                  differences between processors
//   code_patterns, frame_guess    code without CFI: its first and last instructions, frame pointers
//   address_rules                 the rule of an address, in one lookup
//   stack_memory                  copies of a thread's stack from earlier samples
//
// The kernel's part of a stack and the recorded callchain are not handled here: the caller joins them.
// Frame::stack_pointer and UnwoundStack::missing_address say where a copy of a stack ended.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/binary.h"
#include "base/byte_reader.h"
#include "base/unaligned.h"
#include "symbolize/symbols/symbol_file.h"
#include "symbolize/unwind/architecture.h"
#include "symbolize/unwind/unwind_tables.h"

namespace perfsift::symbolize {

// A mapping of the process.
struct MappedPart {
  std::uint64_t start = 0;
  std::uint64_t end = 0;          // exclusive
  std::uint64_t page_offset = 0;  // of `start` in the file; of memory without a file, `start` itself
  std::uint32_t binary = 0;       // for AddressSpace::binary()
  bool executable = true;
};

// The mappings of the process at the time of the sample.
class AddressSpace {
 public:
  virtual ~AddressSpace() = default;
  // The number of the address space. Equal numbers mean equal address spaces, and different processes have different
  // numbers: an Unwinder keeps its look-ups by this number.
  virtual std::uint32_t version() const = 0;
  virtual std::optional<MappedPart> find(std::uint64_t address) const = 0;
  // A number always gives the same binary. The reference need only live until the next call.
  virtual const Binary& binary(std::uint32_t number) const = 0;
  // The time that counts for code made at run time (see SymbolFile::find_at()).
  virtual std::uint64_t code_time() const { return SymbolFile::latest; }
};

// Another source of stack memory, for addresses outside of the sample's own copy.
class OtherStack {
 public:
  virtual ~OtherStack() = default;
  // The `size` bytes (4 or 8) at `address`, as a number; nothing if they are unknown.
  virtual std::optional<std::uint64_t> read(std::uint64_t address, unsigned size) const = 0;
};

// The state of a thread at the time of its sample.
struct UserState {
  Architecture architecture = Architecture::x86_64;
  // perf's numbering: `registers` has one word for each bit of the mask, in ascending order.
  std::uint64_t register_mask = 0;
  std::span<const Unaligned<std::uint64_t>> registers;
  Bytes stack;                          // from the stack pointer upwards
  const OtherStack* earlier = nullptr;  // asked where `stack` ends
};

enum class FrameOrigin : std::uint8_t {
  sample,         // the sample's own registers
  cfi,            // what the compiler wrote down
  code,           // the instructions at the place show the caller, and CFI does not
  frame_pointer,  // no CFI: guessed from a plausible chain of frame pointers
  earlier_stack,  // by stack memory of an earlier sample, or on top of such a frame: may be out of date
};

struct Frame {
  std::uint64_t address = 0;
  std::uint64_t stack_pointer = 0;  // in this frame; the frames before it lie below
  bool return_address = false;      // else the instruction itself: the first frame, and what a signal interrupted
  FrameOrigin origin = FrameOrigin::sample;
};

// Why there is no frame after the last one.
enum class StackEnd : std::uint8_t {
  complete,       // it is the outermost one
  truncated,      // the caller lies above what was copied of the stack
  max_frames,     // there may be more than were asked for
  no_cfi,         // nothing is known of the code, and its frame pointer leads nowhere plausible
  not_mapped,     // its address is in no executable mapping
  lost_register,  // the caller's place depends on a register that is not known any more
  bad_stack,      // the rules lead down the stack, in circles, or to places that are no memory
  bad_cfi,        // the CFI contradicts itself
  no_registers,   // the sample has no program counter, or no stack pointer: there is no frame at all
};

struct UnwoundStack {
  std::vector<Frame> frames;  // leaf first
  StackEnd end = StackEnd::complete;
  std::uint64_t missing_address = 0;  // truncated: what would have been read next
};

struct UnwindLimits {
  std::size_t max_frames = 127;  // perf's own default
};

class AddressRules;

// Not thread-safe: make one for each thread. `tables` may be shared, and must outlive the object. Throws only if memory
// runs out.
class Unwinder {
 public:
  explicit Unwinder(UnwindTables& tables, UnwindLimits limits = {});
  ~Unwinder();
  Unwinder(const Unwinder&) = delete;
  Unwinder& operator=(const Unwinder&) = delete;

  // Overwrites `stack`, but reuses its memory.
  void unwind(const UserState& state, const AddressSpace& space, UnwoundStack& stack);

 private:
  class Walk;

  std::unique_ptr<AddressRules> rules_;
  UnwindLimits limits_;
};

}  // namespace perfsift::symbolize
