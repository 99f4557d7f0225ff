// Debug information about an address: functions, inlined calls, and places in the source.
#pragma once

#include <cstdint>
#include <string_view>

namespace perfsift::symbolize {

// A place in the source.
struct SourcePlace {
  std::string_view file;   // as the compiler called it, with its folder; empty: unknown
  std::uint32_t line = 0;  // 0: unknown, or none
  std::uint32_t column = 0;
};

// A function, or a call that the compiler inlined, by debug information.
struct SourceFrame {
  std::string_view name;  // empty: unknown
  bool mangled = false;   // whether `name` is that of a symbol; else it is as in the source, without its namespaces
  bool inlined = false;
  SourcePlace place;  // where it was: in the innermost frame the address itself, else the call of the frame before
};

}  // namespace perfsift::symbolize
