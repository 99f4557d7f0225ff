// Globs: patterns of names that users write.
//
//   *       any text, also none, and also with slashes
//   ?       any one byte
//   \x      the character x itself; at the end, a backslash is itself
//   [a-z]   with Brackets::classes: one of these bytes; [!a-z] or [^a-z]: one other byte
//
// Any other character is itself. So is a bracket with Brackets::ordinary, as names of binaries and frames have brackets
// ([kernel.kallsyms]), and a bracket without its counterpart.
//
// A glob matches a whole text. Texts are bytes of any encoding. Matching takes time in proportion to the length of the
// text times that of the glob, whatever the glob is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace perfsift {

enum class Brackets : std::uint8_t { ordinary, classes };

bool matches_glob(std::string_view glob, std::string_view text, Brackets brackets = Brackets::ordinary);

// Whether the glob can match more than one text.
bool has_wildcards(std::string_view glob, Brackets brackets = Brackets::ordinary);
// The text that a glob without wildcards matches.
std::string without_escapes(std::string_view glob);

}  // namespace perfsift
