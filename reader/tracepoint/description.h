// The text that describes a tracepoint (the file `format` in tracefs), as far as it must be understood before
// libtraceevent may see it.
#pragma once

#include <string_view>

namespace perfsift::reader {

// libtraceevent trusts descriptions to be the kernel's: it follows null pointers when one prints a field that it does
// not declare, or declares one oddly, and recurses as deep as the text says. True for descriptions that are sane:
// every field is declared in the kernel's way, only declared fields are printed, and nothing is nested too deeply.
bool is_sane(std::string_view description);

}  // namespace perfsift::reader
