// How long an instruction is.
#pragma once

#include <cstddef>

#include "base/byte_reader.h"

namespace perfsift::dlfilter {

// What perf reads of an instruction (MAX_INSN); those of x86 have at most 15 bytes.
inline constexpr std::size_t longest_instruction = 16;

// The length of the x86 instruction at the start of `code`; 0 if there is no instruction, or only a part of one.
std::size_t x86_instruction_length(Bytes code, bool is_64_bit);

}  // namespace perfsift::dlfilter
