// Where a stack ends: at the start of its thread, or before.
#pragma once

#include <cstdint>
#include <string_view>

namespace perfsift::analysis {

// At most 16: CallchainOwner has four bits for it.
enum class StackTail : std::uint8_t {
  complete,  // at the thread's start; or there is no user's part that could be cut
  // Its last frame tells: see StackEnds.
  by_frame_pointers,  // the kernel followed them
  by_calls,           // the processor kept the calls
  // What is incomplete, and why.
  copy_short,             // the copy of the stack ends first
  depth_limit,            // as many frames as could be recorded, or were asked for
  no_rules,               // no unwinding rules for the code, and no plausible frame pointer
  not_code,               // the return address is in no executable mapping
  broken_chain,           // unwinding rules contradict the stack or need a register that is lost
  no_registers,           // the sample has no program counter or no stack pointer
  not_unwound,            // a processor whose stacks are not unwound
  user_part_missing,      // the record with the user's part never came
  frame_pointer_missing,  // estimated: the last frame is no thread's start
  calls_missing,          // estimated: the same of calls that the processor kept
  // Estimates that fail.
  unknown,  // the last frame has no name, so it may be a thread's start
};

constexpr bool is_estimated(StackTail tail) {
  return tail == StackTail::frame_pointer_missing || tail == StackTail::calls_missing;
}

// A stable word for use by programs: "copy_short".
std::string_view tail_name(StackTail tail);
// What happened, and what to do about it.
std::string_view describe(StackTail tail);
std::string_view advice(StackTail tail);

}  // namespace perfsift::analysis
