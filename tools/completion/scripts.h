// The completion of each shell, which asks the program: see perfsift_embed() in cmake/embed.cmake.
#pragma once

#include <string_view>

namespace perfsift::tools::completion_scripts {

extern const std::string_view perfsift_bash;
extern const std::string_view perfsift_fish;
extern const std::string_view perfsift_zsh;

}  // namespace perfsift::tools::completion_scripts
