#include "output/report/key_cells.h"

#include <algorithm>

#include "base/printable.h"
#include "base/printable_utf8.h"
#include "output/columns.h"
#include "output/csv.h"

namespace perfsift::output {
namespace {

using analysis::SortKey;

// The end of a path is more informative than its start.
CutEnd cut_end_of(SortKey key) { return analysis::needs_lines(key) ? CutEnd::start : CutEnd::end; }

}  // namespace

std::vector<std::string> key_names(const Keys& keys) {
  std::vector<std::string> names;
  for (const SortKey key : keys) names.emplace_back(analysis::name_of(key));
  return names;
}

std::vector<std::string> key_texts(const Keys& keys, const Cells& cells, bool inlined) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    texts.push_back(printable_utf8(cells[i]));
    if (inlined && keys[i] == SortKey::symbol) texts.back() += " (inlined)";
  }
  return texts;
}

void write_key_texts(const Keys& keys, const std::vector<std::string>& texts, const std::vector<std::size_t>& widths,
                     const TerminalStyle& style, TextWriter& out) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    out.spaces(2);
    const std::string text =
        style.is_terminal() ? cut_to(texts[i], widths[i], cut_end_of(keys[i]), style.unicode) : texts[i];
    out.text(text);
    if (i + 1 != texts.size()) out.spaces(widths[i] - std::min(widths[i], width_of(text)));
  }
}

void add_key_members(const Keys& keys, const Cells& cells, Json& row) {
  for (std::size_t i = 0; i < keys.size(); ++i) row[std::string(analysis::name_of(keys[i]))] = cells[i];
}

void end_csv_header(const Keys& keys, TextWriter& out) {
  for (const SortKey key : keys) {
    if (key == SortKey::event) continue;
    out.character(',');
    out.text(analysis::name_of(key));
  }
  out.text("\r\n");
}

void end_csv_row(const Keys& keys, const Cells& cells, TextWriter& out) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] == SortKey::event) continue;
    out.character(',');
    out.text(csv_name(printable(cells[i])));
  }
  out.text("\r\n");
}

}  // namespace perfsift::output
