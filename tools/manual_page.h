// Manual pages, shown by man(1).
#pragma once

#include <string>

namespace perfsift::tools {

// Shows a page of section 1 on the terminal. False, and nothing is shown, if standard output is no terminal, or if
// there is no such page or no man(1).
bool show_manual_page(const std::string& page);

}  // namespace perfsift::tools
