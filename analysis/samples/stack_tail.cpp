#include "analysis/samples/stack_tail.h"

#include "reader/callchain.h"

namespace perfsift::analysis {

namespace note = reader::callchain_note;

std::uint64_t note_of_tail(StackTail tail) { return note::first_end - static_cast<std::uint64_t>(tail); }

std::optional<StackTail> tail_of_note(std::uint64_t word) {
  const bool is_tail =
      note::is_end(word) && note::first_end - word <= static_cast<std::uint64_t>(StackTail::beyond_start);
  return is_tail ? std::optional(static_cast<StackTail>(note::first_end - word)) : std::nullopt;
}

std::string_view tail_name(StackTail tail) {
  switch (tail) {
    case StackTail::complete:
      return "complete";
    case StackTail::by_frame_pointers:
      return "by_frame_pointers";
    case StackTail::leaf_caller_known:
      return "leaf_caller_known";
    case StackTail::by_calls:
      return "by_calls";
    case StackTail::copy_short:
      return "copy_short";
    case StackTail::depth_limit:
      return "depth_limit";
    case StackTail::no_rules:
      return "no_rules";
    case StackTail::no_file:
      return "no_file";
    case StackTail::not_code:
      return "not_code";
    case StackTail::broken_chain:
      return "broken_chain";
    case StackTail::no_registers:
      return "no_registers";
    case StackTail::not_unwound:
      return "not_unwound";
    case StackTail::user_part_missing:
      return "user_part_missing";
    case StackTail::frame_pointer_missing:
      return "frame_pointer_missing";
    case StackTail::calls_missing:
      return "calls_missing";
    case StackTail::unknown:
      return "unknown";
    case StackTail::beyond_start:
      return "beyond_start";
  }
  return "unknown";
}

std::string_view describe(StackTail tail) {
  switch (tail) {
    case StackTail::copy_short:
      return "the copy of the stack is too short";
    case StackTail::depth_limit:
      return "as many frames as could be recorded";
    case StackTail::no_rules:
      return "the code has no unwinding rules";
    case StackTail::no_file:
      return "the file with the unwinding rules is missing here, or is not the recorded one";
    case StackTail::not_code:
      return "the caller is in no executable mapping";
    case StackTail::broken_chain:
      return "the unwinding rules do not fit the stack";
    case StackTail::no_registers:
      return "the sample has no program counter or no stack pointer";
    case StackTail::not_unwound:
      return "stacks of this processor are not unwound";
    case StackTail::user_part_missing:
      return "the record with the user's part is missing";
    case StackTail::frame_pointer_missing:
      return "the code keeps no frame pointer (estimated)";
    case StackTail::calls_missing:
      return "the processor keeps no more calls (estimated)";
    case StackTail::unknown:
      return "the last frame has no name";
    case StackTail::beyond_start:
      return "frames behind the start of the thread are no callers";
    case StackTail::complete:
    case StackTail::by_frame_pointers:
    case StackTail::leaf_caller_known:
    case StackTail::by_calls:
      break;
  }
  return "complete";
}

std::string_view advice(StackTail tail) {
  switch (tail) {
    case StackTail::copy_short:
      return "record more of it (perf record --call-graph dwarf,65528), or try --repair-stacks";
    case StackTail::depth_limit:
      return "raise kernel.perf_event_max_stack, perf record --max-stack, or --max-stack here";
    case StackTail::no_rules:
      return "build with -fasynchronous-unwind-tables or -fno-omit-frame-pointer; of code made at run time the jitdump "
             "must hold unwinding information, or the code must keep frame pointers";
    case StackTail::no_file:
      return "make the recorded files available: --symfs DIR, or run `perfsift pack` on the recording machine";
    case StackTail::not_code:
      return "code without unwinding rules led there: build it with -fasynchronous-unwind-tables, or record "
             "executable memory from the start of the process";
    case StackTail::broken_chain:
      return "make sure that the binaries here are those that ran, and report hand-written code without correct "
             "unwinding rules to its authors";
    case StackTail::no_registers:
      return "record the registers IP and SP (perf record --user-regs)";
    case StackTail::not_unwound:
      return "record with --call-graph fp";
    case StackTail::user_part_missing:
      return "records were lost, or the recording ended first: see its losses";
    case StackTail::frame_pointer_missing:
      return "build with -fno-omit-frame-pointer, or record with --call-graph dwarf";
    case StackTail::calls_missing:
      return "record with --call-graph dwarf, or with --call-graph fp";
    case StackTail::unknown:
      return "make symbols available: see the frames without a name";
    case StackTail::beyond_start:
    case StackTail::complete:
    case StackTail::by_frame_pointers:
    case StackTail::leaf_caller_known:
    case StackTail::by_calls:
      break;
  }
  return "";
}

}  // namespace perfsift::analysis
