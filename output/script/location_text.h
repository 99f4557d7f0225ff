// The symbol and the binary of an address, as perf script prints them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "analysis/samples/code_names.h"
#include "analysis/samples/style.h"
#include "output/script/fields.h"
#include "output/text_writer.h"

namespace perfsift::output {

// All text is printable(). Not thread-safe. `names` must outlive the object.
class LocationText {
 public:
  LocationText(analysis::CodeNames& names, analysis::PerfStyle style) : names_(names), style_(style) {}

  // "main+0x10", "main", "[unknown]"
  void print_symbol(TextWriter& out, const analysis::CodeLocation& location, bool with_offset);
  // print_symbol() for a call that was inlined at the location.
  void print_inlined(TextWriter& out, const analysis::CodeLocation& location, std::string_view call, bool with_offset);
  // "(/usr/bin/ls)"
  void print_binary(TextWriter& out, const analysis::CodeLocation& location);
  // " main+0x10 (/usr/bin/ls)": the parts that `fields` asks for.
  void print_place(TextWriter& out, const analysis::CodeLocation& location, FieldSet fields);

 private:
  std::uint64_t offset_in_symbol(const analysis::CodeLocation& location) const;

  analysis::CodeNames& names_;
  const analysis::PerfStyle style_;
  std::string escaped_;  // of a name that had to be
};

}  // namespace perfsift::output
