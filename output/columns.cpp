#include "output/columns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace perfsift::output {
namespace {

bool continues_a_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// The first `count` characters.
std::string_view first_of(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  while (at < text.size() && count != 0) {
    ++at;
    while (at < text.size() && continues_a_character(text[at])) ++at;
    --count;
  }
  return text.substr(0, at);
}

}  // namespace

std::size_t width_of(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, continues_a_character));
}

std::string cut_to(std::string_view text, std::size_t width, CutEnd end, bool unicode) {
  const std::size_t all = width_of(text);
  if (all <= width) return std::string(text);
  const std::string_view mark = unicode ? "…" : "~";
  if (width <= 1) return std::string(width == 1 ? mark : "");
  if (end == CutEnd::end) return std::string(first_of(text, width - 1)) + std::string(mark);
  return std::string(mark) + std::string(text.substr(first_of(text, all - (width - 1)).size()));
}

std::vector<std::size_t> fitting_widths(std::vector<std::size_t> wanted, std::size_t room) {
  constexpr std::size_t gap = 2, least = 8;
  if (room == 0) {
    for (std::size_t& width : wanted) width = std::min(width, widest_padding);
    return wanted;
  }
  if (wanted.empty()) return wanted;
  const std::size_t gaps = gap * (wanted.size() - 1);
  const auto needed = [&] { return std::accumulate(wanted.begin(), wanted.end(), gaps); };
  while (needed() > room) {
    const auto widest = std::ranges::max_element(wanted);
    if (*widest <= least) break;
    --*widest;
  }
  return wanted;
}

std::string bar(double percent, std::size_t width, bool unicode) {
  static constexpr std::array<std::string_view, 8> eighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double share = std::clamp(percent, 0.0, 100.0) / 100;
  const auto parts = static_cast<std::size_t>(std::lround(share * static_cast<double>(width) * 8));
  std::string text;
  if (!unicode) return text.append((parts + 4) / 8, '#').append(width - (parts + 4) / 8, ' ');
  for (std::size_t i = 0; i < parts / 8; ++i) text += "█";
  text += eighths[parts % 8];
  return text.append(width - width_of(text), ' ');
}

std::string_view colour_of_share(double percent) {
  if (percent >= 5) return "\x1b[31m";
  return percent >= 0.5 ? "\x1b[32m" : "";
}

}  // namespace perfsift::output
