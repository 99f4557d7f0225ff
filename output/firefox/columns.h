// JSON written column by column.
#pragma once

#include <cstddef>
#include <string_view>

#include "output/text_writer.h"

namespace perfsift::output {

// Writes `"name":[…],` with write(i) for each value.
template <typename Write>
void write_column(TextWriter& text, std::string_view name, std::size_t length, Write&& write) {
  text.character('"');
  text.text(name);
  text.text("\":[");
  for (std::size_t i = 0; i < length; ++i) {
    if (i != 0) text.character(',');
    write(i);
  }
  text.text("],");
}

// A column of one value.
inline void write_equal_column(TextWriter& text, std::string_view name, std::size_t length, std::string_view value) {
  write_column(text, name, length, [&](std::size_t) { text.text(value); });
}

// The end of a table, which holds the number of its rows.
inline void write_length(TextWriter& text, std::size_t length) {
  text.text("\"length\":");
  text.decimal(length);
  text.character('}');
}

// Nanoseconds as milliseconds, without loss.
inline void write_milliseconds(TextWriter& text, std::uint64_t nanoseconds) {
  constexpr std::uint64_t million = 1'000'000;
  text.decimal(nanoseconds / million);
  if (nanoseconds % million == 0) return;
  text.character('.');
  text.decimal(nanoseconds % million, 6, '0');
}

}  // namespace perfsift::output
