#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/printable.h"
#include "output/columns.h"
#include "output/report/report_table.h"
#include "output/table/key_columns.h"

namespace perfsift::output {
namespace {

using analysis::percent_of;
using analysis::ReportRow;
using analysis::ReportTable;

constexpr std::size_t bar_width = 10;

class TableText {
 public:
  TableText(const ReportTable& table, const ReportContents& contents, const TerminalStyle& style, TextWriter& out)
      : table_(table),
        style_(style),
        with_totals_(!table.totals_are_selves()),
        shown_(first_rows(table.rows, contents.limit)),
        keys_(contents.keys, style),
        out_(out) {}

  void write() {
    const std::string unit = table_.unit.empty() ? std::string() : ' ' + printable(table_.unit);
    out_.format("{}: {}, {}{} in all\n", printable(table_.event_name), counted(table_.all.samples, "sample"),
                table_.all.value, unit);
    for (const ReportRow& row : shown_) keys_.add(row.cells, row.inlined);
    find_widths();
    header();
    for (std::size_t i = 0; i < shown_.size(); ++i) row(i);
    rest();
  }

 private:
  void find_widths() {
    samples_width_ = std::max(std::string_view("samples").size(), std::to_string(table_.all.samples).size());
    const std::size_t numbers = 7 + (with_totals_ ? 9 : 0) + 2 + samples_width_ + 2;
    keys_.fit(numbers + (style_.is_terminal() ? bar_width + 2 : 0));
  }

  void header() {
    out_.right("self", 7);
    if (with_totals_) out_.right("total", 9);
    out_.spaces(2);
    out_.right("samples", samples_width_);
    if (style_.is_terminal()) out_.spaces(2 + bar_width);
    keys_.write_names(out_);
    out_.character('\n');
  }

  void row(std::size_t number) {
    const ReportRow& row = shown_[number];
    const double self = percent_of(row.self, table_.all), total = percent_of(row.total, table_.all);
    share(self, 7);
    if (with_totals_) share(total, 9);
    out_.spaces(2);
    out_.decimal(row.self.samples, samples_width_);
    if (style_.is_terminal()) {
      out_.spaces(2);
      coloured(bar(self, bar_width, style_.unicode), colour_of_share(self));
    }
    keys_.write_row(number, out_);
    out_.character('\n');
  }

  void share(double percent, std::size_t width) {
    const std::string text = percent_text(percent);
    out_.spaces(width - std::min(width, text.size()));
    coloured(text, colour_of_share(percent));
  }

  void coloured(std::string_view text, std::string_view colour) {
    const bool used = style_.colour && !colour.empty();
    if (used) out_.text(colour);
    out_.text(text);
    if (used) out_.text(end_of_colour);
  }

  // The sum of the rows beyond the limit, so that all shown shares add up to 100 percent.
  void rest() {
    const std::span<const ReportRow> others = std::span(table_.rows).subspan(shown_.size());
    if (others.empty()) return;
    analysis::Amount amount;
    for (const ReportRow& row : others) amount += row.self;
    out_.right(percent_text(percent_of(amount, table_.all)), 7);
    out_.format("  in {} more (--limit 0 shows all)\n", counted(others.size(), "row"));
  }

  const ReportTable& table_;
  const TerminalStyle& style_;
  const bool with_totals_;
  const std::span<const ReportRow> shown_;
  KeyColumns keys_;
  TextWriter& out_;
  std::size_t samples_width_ = 0;
};

}  // namespace

std::string percent_text(double percent) { return fmt::format("{:.2f}%", percent); }

void write_notes(const std::vector<std::string>& notes, TextWriter& out) {
  if (!notes.empty()) out.character('\n');
  for (const std::string& note : notes) out.format("{}\n", printable(note));
}

void write_report_text(const ReportContents& contents, const TerminalStyle& style, TextWriter& out) {
  for (const ReportTable& table : contents.tables) {
    if (&table != &contents.tables.front()) out.character('\n');
    TableText(table, contents, style, out).write();
  }
  write_notes(contents.notes, out);
}

}  // namespace perfsift::output
