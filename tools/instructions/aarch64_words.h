// Instructions of aarch64 that capstone 4 does not know, or writes in another way than the GNU assembler: the aliases
// of moves, the authentication of pointers, hints that mark branch targets, the atomic instructions of Armv8.1, loads
// and stores in order, and dot products.
#pragma once

#include <cstdint>
#include <string>

namespace perfsift::tools {

inline constexpr std::uint8_t aarch64_word = 4;  // bytes of an instruction

// Empty: the instruction is another one.
std::string text_of_aarch64_word(std::uint32_t word);

}  // namespace perfsift::tools
