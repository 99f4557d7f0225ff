// The length of an instruction.
#pragma once

#include <cstddef>

#include "base/byte_reader.h"

namespace perfsift::dlfilter {

// The number of bytes that perf reads of an instruction (MAX_INSN); x86 instructions have at most 15.
inline constexpr std::size_t longest_instruction = 16;

// The length of the x86 instruction at the start of `code`; 0 if there is no instruction, or only a part of one.
std::size_t x86_instruction_length(Bytes code, bool is_64_bit);

}  // namespace perfsift::dlfilter
