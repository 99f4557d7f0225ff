// Colours of single functions, from a file of flamegraph.pl (--cp).
#pragma once

#include <functional>
#include <map>
#include <string>

#include "output/flame/palette.h"

namespace perfsift::tools {

// The lines of the file: FUNCTION->rgb(R,G,B). Empty lines are ignored. Throws InputError if the file cannot be read,
// or has another line.
std::map<std::string, output::Colour, std::less<>> palette_map(const std::string& path);

}  // namespace perfsift::tools
