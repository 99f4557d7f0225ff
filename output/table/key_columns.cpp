#include "output/table/key_columns.h"

#include <algorithm>

#include "base/printable.h"
#include "base/printable_utf8.h"
#include "output/columns.h"
#include "output/csv.h"

namespace perfsift::output {
namespace {

using analysis::Key;

// The end of a path is more informative than its start.
CutEnd cut_end_of(Key key) { return analysis::needs_lines(key) ? CutEnd::start : CutEnd::end; }

bool is_column(Key key, EventColumn event) { return key != Key::event || event == EventColumn::among_keys; }

}  // namespace

KeyColumns::KeyColumns(const Keys& keys, const TerminalStyle& style) : keys_(keys), style_(style) {
  for (const Key key : keys) names_.emplace_back(analysis::name_of(key));
}

void KeyColumns::add(const Cells& cells, bool inlined) {
  Texts& texts = rows_.emplace_back();
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    texts.push_back(printable_utf8(cells[i]));
    if (inlined && keys_[i] == Key::symbol) texts.back() += " (inlined)";
  }
}

void KeyColumns::fit(std::size_t before) {
  std::vector<std::size_t> wanted;
  for (const std::string& name : names_) wanted.push_back(name.size());
  for (const Texts& texts : rows_) {
    for (std::size_t i = 0; i < texts.size(); ++i) wanted[i] = std::max(wanted[i], width_of(texts[i]));
  }
  widths_ = fitting_widths(wanted, style_.is_terminal() ? std::max(style_.columns, before + 1) - before : 0);
}

void KeyColumns::write(const Texts& texts, TextWriter& out) const {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    out.spaces(2);
    const std::string text =
        style_.is_terminal() ? cut_to(texts[i], widths_[i], cut_end_of(keys_[i]), style_.unicode) : texts[i];
    out.text(text);
    if (i + 1 != texts.size()) out.spaces(widths_[i] - std::min(widths_[i], width_of(text)));
  }
}

std::vector<std::string_view> names_of(const Keys& keys) {
  std::vector<std::string_view> names;
  for (const Key key : keys) names.push_back(analysis::name_of(key));
  return names;
}

void add_key_members(const Keys& keys, const Cells& cells, Json& row) {
  for (std::size_t i = 0; i < keys.size(); ++i) row[std::string(analysis::name_of(keys[i]))] = cells[i];
}

void end_csv_header(const Keys& keys, EventColumn event, TextWriter& out) {
  for (const Key key : keys) {
    if (is_column(key, event)) out.format(",{}", analysis::name_of(key));
  }
  out.text("\r\n");
}

void end_csv_row(const Keys& keys, const Cells& cells, EventColumn event, TextWriter& out) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (is_column(keys[i], event)) out.format(",{}", csv_name(printable(cells[i])));
  }
  out.text("\r\n");
}

}  // namespace perfsift::output
