// Names that somebody else has demangled.
#pragma once

#include <string_view>

namespace perfsift::symbolize {

// The part of a demangled C++ name that DemangleStyle::plain has: without parameters, what follows them, and the return
// type; `ns::work` of `void ns::work<int>(char*) const [clone .cold]`. What is not such a name, or has no parameters,
// stays as it is.
std::string_view plain_name(std::string_view name);

}  // namespace perfsift::symbolize
