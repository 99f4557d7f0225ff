#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/printable.h"
#include "output/columns.h"
#include "output/report/key_cells.h"
#include "output/report/report_table.h"

namespace perfsift::output {
namespace {

using analysis::percent_of;
using analysis::ReportRow;
using analysis::ReportTable;
using analysis::SortKey;

constexpr std::size_t bar_width = 10;

class TableText {
 public:
  TableText(const ReportTable& table, const ReportContents& contents, const TerminalStyle& style, TextWriter& out)
      : table_(table),
        keys_(contents.keys),
        style_(style),
        with_totals_(!table.totals_are_selves()),
        shown_(first_rows(table.rows, contents.limit)),
        out_(out) {}

  void write() {
    const std::string unit = table_.unit.empty() ? std::string() : ' ' + printable(table_.unit);
    out_.format("{}: {}, {}{} in all\n", printable(table_.event_name), counted(table_.all.samples, "sample"),
                table_.all.value, unit);
    for (const ReportRow& row : shown_) texts_.push_back(key_texts(keys_, row.cells, row.inlined));
    find_widths();
    header();
    for (std::size_t i = 0; i < texts_.size(); ++i) row(shown_[i], texts_[i]);
    rest();
  }

 private:
  using Texts = std::vector<std::string>;

  void find_widths() {
    std::vector<std::size_t> wanted;
    for (const SortKey key : keys_) wanted.push_back(analysis::name_of(key).size());
    for (const Texts& texts : texts_) {
      for (std::size_t i = 0; i < texts.size(); ++i) wanted[i] = std::max(wanted[i], width_of(texts[i]));
    }
    samples_width_ = std::max(std::string_view("samples").size(), std::to_string(table_.all.samples).size());
    const std::size_t numbers = 7 + (with_totals_ ? 9 : 0) + 2 + samples_width_ + 2;
    const std::size_t before = numbers + (style_.is_terminal() ? bar_width + 2 : 0);
    widths_ = fitting_widths(wanted, style_.is_terminal() ? std::max(style_.columns, before + 1) - before : 0);
  }

  void header() {
    out_.right("self", 7);
    if (with_totals_) out_.right("total", 9);
    out_.spaces(2);
    out_.right("samples", samples_width_);
    if (style_.is_terminal()) out_.spaces(2 + bar_width);
    cells(key_names(keys_));
  }

  void row(const ReportRow& row, const Texts& texts) {
    const double self = percent_of(row.self, table_.all), total = percent_of(row.total, table_.all);
    share(self, 7);
    if (with_totals_) share(total, 9);
    out_.spaces(2);
    out_.decimal(row.self.samples, samples_width_);
    if (style_.is_terminal()) {
      out_.spaces(2);
      coloured(bar(self, bar_width, style_.unicode), colour_of_share(self));
    }
    cells(texts);
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

  void cells(const Texts& texts) {
    write_key_texts(keys_, texts, widths_, style_, out_);
    out_.character('\n');
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
  const std::vector<SortKey>& keys_;
  const TerminalStyle& style_;
  const bool with_totals_;
  const std::span<const ReportRow> shown_;
  TextWriter& out_;
  std::vector<Texts> texts_;
  std::vector<std::size_t> widths_;
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
