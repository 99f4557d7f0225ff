// The command lines that show a part of a store as a picture: words that a user copies into a shell.
#pragma once

#include <string>
#include <string_view>

#include "store/url.h"

namespace perfsift::tools {

// Names of functions and labels become words without a meaning for the shell.
std::string flame_command_line(const store::StoreUrl& url);
// The same with the function highlighted.
std::string flame_command_line(const store::StoreUrl& url, std::string_view function);
std::string diff_command_line(const store::StoreUrl& before, const store::StoreUrl& after);

}  // namespace perfsift::tools
