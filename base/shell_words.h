// The words of a command line in one text, as a shell splits them: the way back from base/shell_word.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perfsift {

// Blanks separate words. '…' keeps everything, "…" everything but \" \\ \$ \` and a backslash at the end of a line, and
// a backslash outside of quotes keeps the next character (XCU 2.2 of POSIX). Nothing is expanded: $'…' is no quotation.
// Throws UsageError for a quotation without its end, and for a backslash at the end.
std::vector<std::string> shell_words(std::string_view text);

}  // namespace perfsift
