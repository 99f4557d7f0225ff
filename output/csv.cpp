#include "output/csv.h"

#include "base/printable_utf8.h"

namespace perfsift::output {

std::string csv_text(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  return '"' + csv_inside_quotes(text) + '"';
}

std::string csv_name(std::string_view name) {
  return csv_text(std::string(formula_guard(name)) + printable_utf8(name));
}

std::string csv_inside_quotes(std::string_view text) {
  std::string doubled;
  for (const char c : text) doubled.append(c == '"' ? 2 : 1, c);
  return doubled;
}

std::string_view formula_guard(std::string_view field) {
  const bool is_formula = !field.empty() && std::string_view("=+-@\t\r").find(field.front()) != std::string_view::npos;
  return is_formula ? "'" : "";
}

}  // namespace perfsift::output
