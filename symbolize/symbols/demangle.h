// Readable names from mangled ones (C++, Rust legacy and v0, D, OCaml), by libiberty, as perf does. Swift names
// stay as they are: libiberty does not know them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace perfsift::symbolize {

enum class DemangleStyle : std::uint8_t {
  raw,       // as in the symbol table
  plain,     // without parameters and return type: `ns::Widget<long>::work`; D names with them
  full,      // with parameters: `ns::Widget<long>::work(int)`. What newer perf prints.
  perf_6_1,  // what perf 6.1 of Debian prints: plain, but no D, and no C++ of more than 1,024 characters
};

// The readable form of `name`, or `name` itself if it is not mangled. Names come from files and may be hostile: a name
// of more than 8,192 characters (for which libiberty needs up to 1.5 MiB of stack), or with a readable form of more
// than 64 KiB, stays as it is. "@plt" stays at the end; the version of a C++ name ("@@GLIBCXX_3.4") is dropped, as in
// perf. Thread-safe; throws only if memory runs out.
std::string demangle(std::string_view name, DemangleStyle style);

}  // namespace perfsift::symbolize
