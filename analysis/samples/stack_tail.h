// Where a stack ends: at the start of its thread, or before it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace perfsift::analysis {

// CallchainOwner stores the tail of a stack in four bits. StackEnds finds the last ones, which no owner has.
enum class StackTail : std::uint8_t {
  complete,  // at the thread's start, or there is no user part that could be cut
  // The names of the frames decide whether the stack is complete: see StackEnds.
  by_frame_pointers,  // the kernel followed frame pointers
  leaf_caller_known,  // the same, but the caller of the leaf is known by its registers: the stack was unwound first, or
                      // the link register was recorded
  by_calls,           // the processor kept the calls (LBR)
  // Incomplete stacks, with the reason.
  copy_short,             // the copy of the stack ends before the stack does
  depth_limit,            // as many frames as could be recorded, or the requested limit
  no_rules,               // no unwinding rules for the code, and no plausible frame pointer
  no_file,                // the same, because the recorded file with the rules is not here
  not_code,               // the return address is in no executable mapping
  broken_chain,           // unwinding rules contradict the stack or need a register that is lost
  no_registers,           // the sample has no program counter or no stack pointer
  not_unwound,            // stacks of this processor are not unwound
  user_part_missing,      // the record with the user part never came
  frame_pointer_missing,  // estimated: the last frame is not the start of a thread
  calls_missing,          // estimated: the same for calls that the processor kept
  // No estimate is possible.
  unknown,  // the last frame has no name, so it may be the start of a thread
  // The stack is complete.
  beyond_start,  // the frames behind the start of the thread are no callers
};

// The word of a callchain for the end of a stack that was unwound before (reader::callchain_note), and the end for a
// word; nothing for other words.
std::uint64_t note_of_tail(StackTail tail);
std::optional<StackTail> tail_of_note(std::uint64_t word);

// Whether the names of the frames decide.
constexpr bool is_to_be_estimated(StackTail tail) {
  return tail == StackTail::by_frame_pointers || tail == StackTail::leaf_caller_known || tail == StackTail::by_calls;
}

constexpr bool is_estimated(StackTail tail) {
  return tail == StackTail::frame_pointer_missing || tail == StackTail::calls_missing;
}

// A stable word for use by programs: "copy_short".
std::string_view tail_name(StackTail tail);
// The reason for the end, and the remedy.
std::string_view describe(StackTail tail);
std::string_view advice(StackTail tail);

}  // namespace perfsift::analysis
