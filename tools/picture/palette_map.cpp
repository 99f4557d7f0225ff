#include "tools/picture/palette_map.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/error.h"
#include "base/number_in.h"
#include "base/printable.h"

namespace perfsift::tools {
namespace {

using output::Colour;

// Takes a number up to 255 and the character behind.
std::optional<std::uint8_t> take_part(std::string_view& text, char behind) {
  const auto part = take_number<std::uint8_t>(text);
  if (!part || !text.starts_with(behind)) return {};
  text.remove_prefix(1);
  return part;
}

std::optional<Colour> colour_of(std::string_view text) {
  const auto red = take_part(text, ',');
  const auto green = red ? take_part(text, ',') : red;
  const auto blue = green ? take_part(text, ')') : green;
  if (!blue || !text.empty()) return {};
  return Colour{.red = *red, .green = *green, .blue = *blue};
}

}  // namespace

std::map<std::string, Colour, std::less<>> palette_map(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw InputError(printable(path) + ": " + std::strerror(errno));
  std::map<std::string, Colour, std::less<>> colours;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) continue;
    constexpr std::string_view arrow = "->rgb(";
    const std::size_t at = line.rfind(arrow);  // a name may contain an arrow
    const auto colour =
        at == std::string::npos ? std::nullopt : colour_of(std::string_view(line).substr(at + arrow.size()));
    if (!colour) {
      throw InputError(fmt::format("{}: line {} is not like FUNCTION->rgb(255,128,0): {}", printable(path), number,
                                   printable(line)));
    }
    colours.emplace(line.substr(0, at), *colour);
  }
  return colours;
}

}  // namespace perfsift::tools
