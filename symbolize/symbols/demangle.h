// Readable names from mangled ones (C++, Rust legacy and v0, D, OCaml), by libiberty: what perf itself uses. For those
// of Swift there is no such library; they stay as they are.
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

// The readable form of `name`, or `name` itself when it is not mangled. Names are from files and may be hostile: one of
// more than 8,192 characters (for which libiberty needs up to 1.5 MiB of stack), or whose readable form has more than
// 64 KiB, stays as it is. "@plt" stays at the end; the version of a C++ name ("@@GLIBCXX_3.4") goes, as with perf.
// Thread-safe, never throws but for want of memory.
std::string demangle(std::string_view name, DemangleStyle style);

}  // namespace perfsift::symbolize
