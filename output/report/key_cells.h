// The columns of the sort keys, which tables of reports and of comparisons share.
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

// For people: the names of the columns, and cells without control characters. `inlined` adds a remark to the symbol.
std::vector<std::string> key_names(const Keys& keys);
std::vector<std::string> key_texts(const Keys& keys, const Cells& cells, bool inlined);
// Writes texts below each other, with two spaces before each. On a terminal the texts are cut to the widths.
void write_key_texts(const Keys& keys, const std::vector<std::string>& texts, const std::vector<std::size_t>& widths,
                     const TerminalStyle& style, TextWriter& out);

// Adds a member for each key.
void add_key_members(const Keys& keys, const Cells& cells, Json& row);

// The last columns of a CSV line, with the end of the line. The event has a separate first column.
void end_csv_header(const Keys& keys, TextWriter& out);
void end_csv_row(const Keys& keys, const Cells& cells, TextWriter& out);

// The first `limit` rows. 0: all rows.
template <typename Row>
std::span<const Row> first_rows(const std::vector<Row>& rows, std::size_t limit) {
  return std::span(rows).first(limit == 0 || limit > rows.size() ? rows.size() : limit);
}

}  // namespace perfsift::output
