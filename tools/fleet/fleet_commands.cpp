#include "tools/fleet/fleet_commands.h"

#include <fmt/format.h>

#include "base/shell_word.h"

namespace perfsift::tools {
namespace {

// A regular expression that finds the text only.
std::string expression_of(std::string_view text) {
  std::string expression;
  for (const char c : text) {
    if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos) expression += '\\';
    expression += c;
  }
  return expression;
}

}  // namespace

std::string flame_command_line(const store::StoreUrl& url) {
  return fmt::format("perfsift flame -o fleet.svg {}", shell_word(url.text()));
}

std::string flame_command_line(const store::StoreUrl& url, std::string_view function) {
  return fmt::format("perfsift flame -o fleet.svg --search={} {}", shell_word(expression_of(function)),
                     shell_word(url.text()));
}

std::string diff_command_line(const store::StoreUrl& before, const store::StoreUrl& after) {
  return fmt::format("perfsift diff -o diff.svg {} {}", shell_word(before.text()), shell_word(after.text()));
}

}  // namespace perfsift::tools
