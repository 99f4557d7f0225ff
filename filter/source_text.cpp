#include "filter/source_text.h"

#include <algorithm>

#include "filter/syntax_error.h"

namespace perfsift::filter {
namespace {

constexpr std::size_t most_shown = 100;  // bytes of a line

// Whether a byte starts a character: a terminal shows each character in one column.
bool starts_a_column(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

char printable(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c; }

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, starts_a_column));
}

// The line in which `place` begins, as far as messages show it.
Span line_around(std::string_view text, Span place) {
  Span line{.begin = text.rfind('\n', place.begin == 0 ? 0 : place.begin - 1), .end = text.find('\n', place.begin)};
  line.begin = line.begin == std::string_view::npos || place.begin == 0 ? 0 : line.begin + 1;
  line.end = std::min(line.end, text.size());
  if (line.end - line.begin > most_shown) {
    line.begin = std::max(line.begin, place.begin < most_shown / 2 ? 0 : place.begin - most_shown / 2);
    line.end = std::min(line.end, line.begin + most_shown);
  }
  return line;
}

}  // namespace

void fail_at(const FilterText& source, Span place, const std::string& message) {
  const std::string_view text = source.text;
  const Span line = line_around(text, place);
  const std::string_view before = text.substr(line.begin, place.begin - line.begin);
  const std::string_view meant = text.substr(place.begin, std::min(place.end, line.end) - place.begin);
  const std::size_t width = std::max<std::size_t>(columns(meant), 1);

  std::string shown(line.of(text));
  std::ranges::transform(shown, shown.begin(), printable);
  const auto number =
      static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(line.begin), '\n')) +
      1;
  const bool several_lines = text.find('\n') < text.find_last_not_of('\n');
  std::string where = source.origin;
  if (several_lines) where += ':' + std::to_string(number);
  const std::size_t first = place.begin == 0 ? 0 : text.rfind('\n', place.begin - 1) + 1;  // npos + 1 is 0
  throw SyntaxError(where + ": " + message + "\n  " + shown + "\n  " + std::string(columns(before), ' ') + '^' +
                        std::string(width - 1, '~'),
                    number, columns(text.substr(first, place.begin - first)) + 1, place, message);
}

}  // namespace perfsift::filter
