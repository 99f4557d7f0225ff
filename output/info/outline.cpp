#include "output/info/outline.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/printable.h"

namespace perfsift::output {
namespace {

constexpr unsigned indent_step = 2;

std::string blanks_for_underscores(std::string text) {
  std::ranges::replace(text, '_', ' ');
  return text;
}

bool is_table(const Json& value) { return value.is_array() && !value.empty() && value.front().is_object(); }

bool is_nothing(const Json& value) { return value.is_null() || (value.is_structured() && value.empty()); }

// The text of a value that fits into one line.
std::string cell(const Json& value) {
  if (value.is_null()) return "-";
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_string()) return printable(value.get<std::string>());
  if (!value.is_structured()) return value.dump();
  std::string text;
  for (const auto& [key, member] : value.items()) {
    text += text.empty() ? "" : ", ";
    if (value.is_object()) text += printable(key) + "=";
    text += cell(member);
  }
  return text;
}

struct Column {
  std::string key;
  std::size_t width = 0;
  bool number = true;
};

std::vector<Column> columns_of(const Json& rows) {
  std::vector<Column> columns;
  for (const auto& [key, value] : rows.front().items()) columns.push_back({.key = key, .width = key.size()});
  for (Column& column : columns) {
    for (const Json& row : rows) {
      const auto value = row.find(column.key);
      if (value == row.end()) continue;
      column.width = std::max(column.width, cell(*value).size());
      if (!value->is_number() && !value->is_null()) column.number = false;
    }
  }
  return columns;
}

// The last column is not padded: its texts may be long.
std::string table_line(const std::vector<Column>& columns, const std::vector<std::string>& cells, unsigned indent) {
  std::string line(indent, ' ');
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::size_t width = columns[i].width;
    if (i != 0) line += "  ";
    if (columns[i].number) {
      line += fmt::format("{:>{}}", cells[i], width);
    } else {
      line += i + 1 < columns.size() ? fmt::format("{:<{}}", cells[i], width) : cells[i];
    }
  }
  return line + '\n';
}

}  // namespace

std::string table(const Json& rows, unsigned indent) {
  if (rows.empty()) return {};
  const std::vector<Column> columns = columns_of(rows);
  std::vector<std::string> cells;
  for (const Column& column : columns) cells.push_back(printable(blanks_for_underscores(column.key)));
  std::string text = table_line(columns, cells, indent);
  for (const Json& row : rows) {
    cells.clear();
    for (const Column& column : columns) cells.push_back(row.contains(column.key) ? cell(row[column.key]) : "-");
    text += table_line(columns, cells, indent);
  }
  return text;
}

std::string outline(const Json& object, unsigned indent) {
  std::string text;
  for (const auto& [key, value] : object.items()) {
    if (is_nothing(value)) continue;
    text += fmt::format("{:{}}{}:", "", indent, printable(blanks_for_underscores(key)));
    if (is_table(value)) {
      text += '\n' + table(value, indent + indent_step);
    } else if (value.is_object()) {
      text += '\n' + outline(value, indent + indent_step);
    } else {
      text += ' ' + cell(value) + '\n';
    }
  }
  return text;
}

}  // namespace perfsift::output
