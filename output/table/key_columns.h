// The columns of the keys of a table, which the tables of samples, comparisons and accesses share.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/table/key.h"
#include "output/json.h"
#include "output/terminal_style.h"
#include "output/text_writer.h"

namespace perfsift::output {

using analysis::Keys;
using Cells = std::vector<std::string_view>;  // one for each key

// For people: the last columns of a text, with two spaces before each. On a terminal they are cut to what fits. Not
// thread-safe. Keys and style must live longer.
class KeyColumns {
 public:
  KeyColumns(const Keys& keys, const TerminalStyle& style);

  // Adds a row. Cells are shown without control characters. `inlined` adds a remark to the symbol.
  void add(const Cells& cells, bool inlined = false);
  // `before`: the columns of the terminal that numbers before the keys take. Call it when all rows are added.
  void fit(std::size_t before);

  // Both end without a line feed.
  void write_names(TextWriter& out) const { write(names_, out); }
  void write_row(std::size_t row, TextWriter& out) const { write(rows_[row], out); }

 private:
  using Texts = std::vector<std::string>;
  void write(const Texts& texts, TextWriter& out) const;

  const Keys& keys_;
  const TerminalStyle& style_;
  Texts names_;
  std::vector<Texts> rows_;
  std::vector<std::size_t> widths_;
};

// The names of the keys.
std::vector<std::string_view> names_of(const Keys& keys);

// Adds a member for each key.
void add_key_members(const Keys& keys, const Cells& cells, Json& row);

// The last columns of a CSV line, with the end of the line. Tables of several events have the event as their first
// column, and not among the keys.
enum class EventColumn : bool { among_keys, first };
void end_csv_header(const Keys& keys, EventColumn event, TextWriter& out);
void end_csv_row(const Keys& keys, const Cells& cells, EventColumn event, TextWriter& out);

// The first `limit` rows. 0: all rows.
template <typename Row>
std::span<const Row> first_rows(const std::vector<Row>& rows, std::size_t limit) {
  return std::span(rows).first(limit == 0 || limit > rows.size() ? rows.size() : limit);
}

}  // namespace perfsift::output
