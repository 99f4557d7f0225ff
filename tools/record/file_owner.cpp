#include "tools/record/file_owner.h"

#include <cstdlib>
#include <string_view>

#include <unistd.h>

#include "base/number_in.h"

namespace perfsift::tools {
namespace {

std::optional<unsigned> id_in(const char* variable) {
  const char* const text = std::getenv(variable);
  return text != nullptr ? number_in<unsigned>(text) : std::nullopt;
}

}  // namespace

std::optional<FileOwner> user_of_sudo() {
  const auto user = id_in("SUDO_UID"), group = id_in("SUDO_GID");
  if (geteuid() != 0 || !user || !group) return std::nullopt;
  return FileOwner{.user = *user, .group = *group};
}

}  // namespace perfsift::tools
