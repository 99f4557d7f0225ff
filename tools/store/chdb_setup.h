// Gets libchdb.so, which stores need: from its package of npm, whose hash is known.
#pragma once

#include <string>

namespace perfsift::tools {

// Downloads and unpacks the library, and returns its path. What is there already is replaced once the new one is whole.
// Throws InputError if a program that this needs is missing, or the package cannot be had, or is another one.
std::string set_up_chdb();

}  // namespace perfsift::tools
