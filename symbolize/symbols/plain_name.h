// Names that another program has demangled.
#pragma once

#include <string_view>

namespace perfsift::symbolize {

// The part of a demangled C++ name that DemangleStyle::plain keeps: without the return type, the parameters, and the
// text behind them; `ns::work` of `void ns::work<int>(char*) const [clone .cold]`. Other names, and names without
// parameters, stay as they are.
std::string_view plain_name(std::string_view name);

}  // namespace perfsift::symbolize
