#include "output/script/location_text.h"

#include "base/printable.h"

namespace perfsift::output {

// perf 6.1 subtracts the start of the mapping as well, for a symbol that does not cover the address because the size
// of the symbol is unknown (__symbol__fprintf_symname_offs()).
std::uint64_t LocationText::offset_in_symbol(const analysis::CodeLocation& location) const {
  const std::uint64_t offset = location.offset - location.symbol->start;
  const bool covered = location.offset < location.symbol->end;
  return covered || style_ != analysis::PerfStyle::perf_6_1 ? offset : offset - location.mapping_start;
}

void LocationText::print_symbol(TextWriter& out, const analysis::CodeLocation& location, bool with_offset) {
  if (location.symbol == nullptr) return out.text("[unknown]");
  out.text(printable(names_.readable_name(location), escaped_));
  if (!with_offset) return;
  out.text("+0x");
  out.hex(offset_in_symbol(location));
}

// An inlined function begins where the one around it does (new_inline_sym() in tools/perf/util/srcline.c).
void LocationText::print_inlined(TextWriter& out, const analysis::CodeLocation& location, std::string_view call,
                                 bool with_offset) {
  out.text(call.empty() ? "??" : printable(call, escaped_));
  if (!with_offset) return;
  out.text("+0x");
  out.hex(location.symbol != nullptr ? offset_in_symbol(location) : location.offset);
}

void LocationText::print_binary(TextWriter& out, const analysis::CodeLocation& location) {
  out.character('(');
  out.text(printable(names_.binary_name(location), escaped_));
  out.character(')');
}

void LocationText::print_place(TextWriter& out, const analysis::CodeLocation& location, FieldSet fields) {
  if (fields.has(Field::sym)) {
    out.character(' ');
    print_symbol(out, location, fields.has(Field::symoff));
  }
  if (fields.has(Field::dso)) {
    out.character(' ');
    print_binary(out, location);
  }
}

}  // namespace perfsift::output
