#include "symbolize/symbols/demangle.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <tuple>

#define HAVE_DECL_BASENAME 1  // or libiberty.h declares its own, against <cstring>
#include <demangle.h>

#include "base/owned.h"
#include "base/text_scanner.h"

namespace perfsift::symbolize {

namespace {

// A mangled name of 1,000 characters can stand for more text than fits into memory: each part may refer twice to the
// part before it. libiberty hands its text out in pieces, but its callback cannot stop it: so a text that gets too
// long is left by longjmp(), past C functions that own nothing but their stack (and, for Rust names that are not ASCII,
// a buffer as long as one identifier).
struct DemangledText {
  std::array<char, 64 << 10> text;
  std::size_t size;
  std::jmp_buf too_long;
};

void append(const char* part, std::size_t size, void* opaque) {
  auto& output = *static_cast<DemangledText*>(opaque);
  if (size > output.text.size() - output.size) std::longjmp(output.too_long, 1);
  std::memcpy(output.text.data() + output.size, part, size);
  output.size += size;
}

using Demangler = int (*)(const char* mangled, int options, demangle_callbackref callback, void* opaque);

// The readable form; empty if the name is not for this demangler.
std::string run(Demangler demangler, const std::string& mangled, int options) {
  DemangledText output;
  output.size = 0;
  if (setjmp(output.too_long) != 0) return {};
  if (demangler(mangled.c_str(), options, append, &output) == 0) return {};
  return std::string(output.text.data(), output.size);
}

constexpr std::size_t longest_name = 8192;

// Without an option libiberty refuses C++ names of more than 1,024 characters. The depth of recursion while a name is
// read grows with the length, and is bounded here; the depth while a name is written is bounded by libiberty.
int options_of(DemangleStyle style) {
  switch (style) {
    case DemangleStyle::full:
      return DMGL_PARAMS | DMGL_ANSI | DMGL_NO_RECURSE_LIMIT;
    case DemangleStyle::plain:
      return DMGL_NO_RECURSE_LIMIT;
    default:
      return 0;
  }
}

// C++ and Rust. Legacy Rust names are C++ names with a hash at the end: Rust goes first, as in cplus_demangle().
std::string demangle_by_libiberty(const std::string& mangled, DemangleStyle style) {
  if (mangled.size() > longest_name) return {};
  const int options = options_of(style);
  std::string readable = run(rust_demangle_callback, mangled, options & ~DMGL_NO_RECURSE_LIMIT);
  return readable.empty() ? run(cplus_demangle_v3_callback, mangled, options) : readable;
}

// libiberty builds a D name in memory, without a callback that could stop it. Each 'Q' may repeat a part of the name
// with other 'Q's in it, so their number bounds the length: 24 of them repeat a part at most about 3^8 times.
std::string demangle_d(const std::string& mangled) {
  constexpr std::size_t longest = 1024;
  constexpr std::ptrdiff_t most_repeats = 24;
  if (mangled.size() > longest || std::ranges::count(mangled, 'Q') > most_repeats) return {};
  const Owned<char, std::free> readable(dlang_demangle(mangled.c_str(), 0));
  const std::string_view text = readable ? readable.get() : "";
  return text.size() > std::tuple_size_v<decltype(DemangledText::text)> ? std::string() : std::string(text);
}

// "camlStdlib__List__map_123" is Stdlib.List.map_123; "$2b" in it is "+".
std::string demangle_ocaml(std::string_view mangled) {
  std::string readable;
  for (std::string_view rest = mangled.substr(std::string_view("caml").size()); !rest.empty();) {
    std::string_view digits = rest.substr(1, 2);
    if (rest.starts_with("__")) {
      readable += '.';
      rest.remove_prefix(2);
    } else if (const auto code = rest.front() == '$' && digits.size() == 2 ? take_hex(digits) : std::nullopt;
               code && digits.empty()) {
      readable += static_cast<char>(*code);
      rest.remove_prefix(3);
    } else {
      readable += rest.front();
      rest.remove_prefix(1);
    }
  }
  return readable;
}

bool is_ocaml(std::string_view name) { return name.size() > 4 && name.starts_with("caml") && std::isupper(name[4]); }

bool may_be_mangled(std::string_view name) {
  return name.starts_with("_Z") || name.starts_with("_R") || name.starts_with("_D") || name.starts_with("_GLOBAL_");
}

}  // namespace

std::string demangle(std::string_view name, DemangleStyle style) {
  if (style == DemangleStyle::raw) return std::string(name);
  if (is_ocaml(name)) return demangle_ocaml(name);
  if (!may_be_mangled(name)) return std::string(name);

  const std::string_view suffix = name.ends_with("@plt") ? "@plt" : "";
  const std::string mangled(name.substr(0, name.find('@')));
  const bool d = mangled.starts_with("_D");
  if (d && style == DemangleStyle::perf_6_1) return std::string(name);
  std::string readable = d ? demangle_d(mangled) : demangle_by_libiberty(mangled, style);
  return readable.empty() ? std::string(name) : readable.append(suffix);
}

}  // namespace perfsift::symbolize
