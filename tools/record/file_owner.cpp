#include "tools/record/file_owner.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include <unistd.h>

namespace perfsift::tools {
namespace {

std::optional<unsigned> id_in(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  unsigned id = 0;
  const std::string_view digits(text);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), id);
  return error == std::errc() && end == digits.data() + digits.size() ? std::optional(id) : std::nullopt;
}

}  // namespace

std::optional<FileOwner> user_of_sudo() {
  const auto user = id_in("SUDO_UID"), group = id_in("SUDO_GID");
  if (geteuid() != 0 || !user || !group) return std::nullopt;
  return FileOwner{.user = *user, .group = *group};
}

}  // namespace perfsift::tools
