// Words of a command line that a user copies into a shell.
#pragma once

#include <string>
#include <string_view>

namespace perfsift {

// The text as one word for bash, zsh and other shells with $'…' (POSIX.1-2024): no character has a meaning for the
// shell, and control characters are escaped, so that the word can be shown as it is.
std::string shell_word(std::string_view text);
// shell_word() for a path: a path that begins with a dash must not look like an option.
std::string shell_path(std::string_view path);

}  // namespace perfsift
