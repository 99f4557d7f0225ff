// Readable names from mangled ones (C++, Rust legacy and v0, D, …), by libiberty: what perf itself
// uses.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace perfsift::symbolize {

enum class DemangleStyle : std::uint8_t {
  raw,    // as in the symbol table
  plain,  // without parameters and return type: `ns::Widget<long>::work`. What perf 6.1 of Debian
          // prints.
  full,   // with parameters: `ns::Widget<long>::work(int)`. What newer perf prints.
};

// The readable form of `name`, or `name` itself when it is not mangled. Thread-safe.
std::string demangle(std::string_view name, DemangleStyle style);

}  // namespace perfsift::symbolize
