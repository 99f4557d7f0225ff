#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/printable.h"
#include "output/columns.h"
#include "output/diff/diff_table.h"
#include "output/report/key_cells.h"
#include "output/report/report_table.h"

namespace perfsift::output {
namespace {

using analysis::Change;
using analysis::ChangeOf;
using analysis::ComparedRow;
using analysis::ComparedTable;

constexpr std::string_view red = "\x1b[31m", green = "\x1b[32m";

class DiffTableText {
 public:
  DiffTableText(const ComparedTable& table, const DiffContents& contents, const TerminalStyle& style, TextWriter& out)
      : table_(table),
        contents_(contents),
        style_(style),
        with_totals_(!table.totals_are_selves()),
        shown_(first_rows(table.rows, contents.limit)),
        out_(out) {}

  void write() {
    title();
    lines_.push_back(names_of_columns());
    for (const ComparedRow& row : shown_) lines_.push_back(line(row));
    find_widths();
    write_line(lines_.front(), "");
    for (std::size_t i = 0; i < shown_.size(); ++i) write_line(lines_[i + 1], colour_of(shown_[i].self));
    if (const std::size_t more = table_.rows.size() - shown_.size(); more != 0) {
      out_.format("{} more (--limit 0 shows all)\n", counted(more, "row"));
    }
    noise();
  }

 private:
  // Numbers, which end at the right edge of their columns, and texts behind them.
  struct Line {
    std::vector<std::string> numbers, texts;
  };

  void title() {
    out_.format("{}: {}{} before, {} after; {}\n", printable(table_.event_name),
                contents_.counts ? "counts taken for " : "", counted(table_.before.samples, "sample"),
                table_.after.samples, shares() ? "self in percent of each side" : "self as measured");
  }

  bool shares() const { return contents_.what == ChangeOf::shares; }

  Line names_of_columns() const {
    Line line{.numbers = {"before", "after", "delta", "from", "to", "change", "samples", "samples"},
              .texts = key_names(contents_.keys)};
    if (with_totals_) line.numbers.emplace_back("total");
    return line;
  }

  Line line(const ComparedRow& row) const {
    const Change& self = row.self;
    Line line{.numbers = {amount(self.before, table_.before), amount(self.after, table_.after), delta(self),
                          signed_text(self.low), signed_text(self.high), ratio(row),
                          std::to_string(self.before.samples), std::to_string(self.after.samples)},
              .texts = key_texts(contents_.keys, row.cells, row.inlined)};
    if (with_totals_) line.numbers.push_back(delta(row.total));
    return line;
  }

  std::string amount(const analysis::Amount& part, const analysis::Amount& all) const {
    return shares() ? percent_text(analysis::percent_of(part, all)) : std::to_string(part.value);
  }

  // "~" marks what may be chance.
  std::string delta(const Change& change) const {
    return signed_text(change.delta) + (change.significant || change.delta == 0 ? " " : "~");
  }

  std::string signed_text(double delta) const {
    return shares() ? fmt::format("{:+.2f}", delta) : fmt::format("{:+.0f}", delta);
  }

  std::string ratio(const ComparedRow& row) const {
    if (row.is_new()) return "new";
    if (row.is_gone()) return "gone";
    const double before =
        shares() ? analysis::percent_of(row.self.before, table_.before) : static_cast<double>(row.self.before.value);
    return before != 0 ? fmt::format("{:+.1f}%", 100 * row.self.delta / before) : "-";
  }

  void find_widths() {
    number_widths_.resize(lines_.front().numbers.size());
    std::vector<std::size_t> wanted(lines_.front().texts.size());
    for (const Line& line : lines_) {
      for (std::size_t i = 0; i < line.numbers.size(); ++i) {
        number_widths_[i] = std::max(number_widths_[i], line.numbers[i].size());
      }
      for (std::size_t i = 0; i < line.texts.size(); ++i) wanted[i] = std::max(wanted[i], width_of(line.texts[i]));
    }
    std::size_t before = 0;
    for (const std::size_t width : number_widths_) before += width + 2;
    text_widths_ = fitting_widths(wanted, style_.is_terminal() ? std::max(style_.columns, before + 1) - before : 0);
  }

  std::string_view colour_of(const Change& change) const {
    if (!change.significant) return grey;
    return change.delta > 0 ? red : green;
  }

  void write_line(const Line& line, std::string_view colour) {
    const bool coloured = style_.colour && !colour.empty();
    if (coloured) out_.text(colour);
    for (std::size_t i = 0; i < line.numbers.size(); ++i) {
      if (i != 0) out_.spaces(2);
      out_.right(line.numbers[i], number_widths_[i]);
    }
    write_key_texts(contents_.keys, line.texts, text_widths_, style_, out_);
    if (coloured) out_.text(end_of_colour);
    out_.character('\n');
  }

  void noise() {
    const auto significant =
        std::ranges::count_if(table_.rows, [](const ComparedRow& row) { return row.self.significant; });
    out_.format("{} of {} changed by more than chance does in 95 of 100 comparisons (no ~)\n", significant,
                counted(table_.rows.size(), "row"));
  }

  const ComparedTable& table_;
  const DiffContents& contents_;
  const TerminalStyle& style_;
  const bool with_totals_;
  const std::span<const ComparedRow> shown_;
  TextWriter& out_;
  std::vector<Line> lines_;
  std::vector<std::size_t> number_widths_;
  std::vector<std::size_t> text_widths_;
};

}  // namespace

void write_diff_text(const DiffContents& contents, const TerminalStyle& style, TextWriter& out) {
  for (const ComparedTable& table : contents.tables) {
    if (&table != &contents.tables.front()) out.character('\n');
    DiffTableText(table, contents, style, out).write();
  }
  write_notes(contents.notes, out);
}

}  // namespace perfsift::output
