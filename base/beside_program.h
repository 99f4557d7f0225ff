// Files that are installed with the running program, wherever that lies.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>

namespace perfsift {

// The first of the places that exists. They are relative to the folder of the program, such as
// "../share/perfsift/demo.data". The result has no "..".
std::optional<std::string> beside_program(std::initializer_list<const char*> places);

}  // namespace perfsift
