#include "output/csv.h"

namespace perfsift::output {

std::string csv_text(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string csv_name(std::string_view name) {
  return csv_text(is_formula(name) ? "'" + std::string(name) : std::string(name));
}

bool is_formula(std::string_view field) {
  return !field.empty() && std::string_view("=+-@\t\r").find(field.front()) != std::string_view::npos;
}

}  // namespace perfsift::output
