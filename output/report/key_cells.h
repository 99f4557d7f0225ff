// The columns of the sort keys, which tables of reports and of differences have in common.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/report/sort_key.h"
#include "output/json.h"
#include "output/terminal_style.h"
#include "output/text_writer.h"

namespace perfsift::output {

using Keys = std::vector<analysis::SortKey>;
using Cells = std::vector<std::string_view>;  // one for each key

// For people: names of the columns, and cells without control characters. `inlined`: the symbol says so.
std::vector<std::string> key_names(const Keys& keys);
std::vector<std::string> key_texts(const Keys& keys, const Cells& cells, bool inlined);
// Writes texts below each other, two spaces in front of each. A terminal gets texts that are cut to the widths.
void write_key_texts(const Keys& keys, const std::vector<std::string>& texts, const std::vector<std::size_t>& widths,
                     const TerminalStyle& style, TextWriter& out);

// A member for each key.
void add_key_members(const Keys& keys, const Cells& cells, Json& row);

// The last columns of a line of CSV, with the end of the line. The event is a first column of its own.
void end_csv_header(const Keys& keys, TextWriter& out);
void end_csv_row(const Keys& keys, const Cells& cells, TextWriter& out);

// The first rows; `limit` 0: all.
template <typename Row>
std::span<const Row> first_rows(const std::vector<Row>& rows, std::size_t limit) {
  return std::span(rows).first(limit == 0 || limit > rows.size() ? rows.size() : limit);
}

}  // namespace perfsift::output
