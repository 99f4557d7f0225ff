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
#include "output/report/report_table.h"
#include "output/table/key_columns.h"

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
        keys_(contents.keys, style),
        out_(out) {}

  void write() {
    title();
    for (const ComparedRow& row : shown_) {
      numbers_.push_back(numbers_of(row));
      keys_.add(row.cells, row.inlined);
    }
    find_widths();
    header();
    for (std::size_t i = 0; i < shown_.size(); ++i) row(i);
    if (const std::size_t more = table_.rows.size() - shown_.size(); more != 0) {
      out_.format("{} more (--limit 0 shows all)\n", counted(more, "row"));
    }
    noise();
  }

 private:
  using Numbers = std::vector<std::string>;  // they end at the right edge of their columns

  void title() {
    out_.format("{}: {}{} before, {} after; {}\n", printable(table_.event_name),
                contents_.counts ? "counts taken for " : "", counted(table_.before.samples, "sample"),
                table_.after.samples, shares() ? "self in percent of each side" : "self as measured");
  }

  bool shares() const { return contents_.what == ChangeOf::shares; }

  Numbers names_of_numbers() const {
    Numbers names{"before", "after", "delta", "from", "to", "change", "samples", "samples"};
    if (with_totals_) names.emplace_back("total");
    return names;
  }

  Numbers numbers_of(const ComparedRow& row) const {
    const Change& self = row.self;
    Numbers numbers{amount(self.before, table_.before),
                    amount(self.after, table_.after),
                    delta(self),
                    signed_text(self.low),
                    signed_text(self.high),
                    ratio(row),
                    std::to_string(self.before.samples),
                    std::to_string(self.after.samples)};
    if (with_totals_) numbers.push_back(delta(row.total));
    return numbers;
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
    for (const std::string& name : names_of_numbers()) number_widths_.push_back(name.size());
    for (const Numbers& numbers : numbers_) {
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        number_widths_[i] = std::max(number_widths_[i], numbers[i].size());
      }
    }
    std::size_t before = 0;
    for (const std::size_t width : number_widths_) before += width + 2;
    keys_.fit(before);
  }

  std::string_view colour_of(const Change& change) const {
    if (!change.significant) return grey;
    return change.delta > 0 ? red : green;
  }

  void header() {
    write_numbers(names_of_numbers());
    keys_.write_names(out_);
    out_.character('\n');
  }

  void row(std::size_t number) {
    if (style_.colour) out_.text(colour_of(shown_[number].self));
    write_numbers(numbers_[number]);
    keys_.write_row(number, out_);
    if (style_.colour) out_.text(end_of_colour);
    out_.character('\n');
  }

  void write_numbers(const Numbers& numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (i != 0) out_.spaces(2);
      out_.right(numbers[i], number_widths_[i]);
    }
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
  KeyColumns keys_;
  TextWriter& out_;
  std::vector<Numbers> numbers_;
  std::vector<std::size_t> number_widths_;
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
