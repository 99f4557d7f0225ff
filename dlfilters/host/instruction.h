// How long an instruction is.
#pragma once

#include <cstddef>

#include "base/byte_reader.h"

namespace perfsift::dlfilter {

// What perf reads of an instruction (MAX_INSN); those of x86 have at most 15 bytes.
inline constexpr std::size_t longest_instruction = 16;

// Of the x86 instruction that `code` begins with; 0 when it is none, or not all of it is there.
std::size_t x86_instruction_length(Bytes code, bool is_64_bit);

}  // namespace perfsift::dlfilter
