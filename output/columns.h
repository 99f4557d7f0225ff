// Texts in columns of a terminal.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "output/terminal_style.h"

namespace perfsift::output {

// The characters of a text in UTF-8. Each byte that is no part of a character counts as one.
std::size_t width_of(std::string_view text);

// The end that is left out of a text that is too long.
enum class CutEnd : bool { end, start };

// `text` with at most `width` characters; what was left out is marked.
std::string cut_to(std::string_view text, std::size_t width, CutEnd end, bool unicode);

// The widths of columns whose widest texts are `wanted`, so that all of them with a gap of two between them fit into
// `room`: the widest columns become narrower. `room` 0: lines of any length, see widest_padding.
std::vector<std::size_t> fitting_widths(std::vector<std::size_t> wanted, std::size_t room);

// The width to which a text in a file or a pipe, where lines have any length, is padded at most: one long name must not
// push all columns behind it out of sight.
inline constexpr std::size_t widest_padding = 60;

// A bar that is full at 100 percent.
std::string bar(double percent, std::size_t width, bool unicode);

// The colour that perf report gives a share: red from 5 percent on, green from 0.5 percent on. Empty: none.
std::string_view colour_of_share(double percent);
inline constexpr std::string_view end_of_colour = "\x1b[0m";
inline constexpr std::string_view grey = "\x1b[90m";

}  // namespace perfsift::output
