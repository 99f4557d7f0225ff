#include "output/memory/memory_text.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include <fmt/format.h>

#include "analysis/comparison/change.h"
#include "base/counted.h"
#include "base/printable.h"
#include "output/columns.h"
#include "output/memory/access_numbers.h"
#include "output/report/report_table.h"
#include "output/table/key_columns.h"

namespace perfsift::output {
namespace {

using analysis::AccessSums;
using analysis::Key;
using analysis::MemoryRow;
using analysis::MemoryTable;

constexpr std::size_t share_width = 7, interval_width = 16;

// The overview's tables of access results are short, so they are shown completely.
std::size_t limit_of(const MemoryTable& table, const MemoryContents& contents) {
  const bool is_short = contents.overview && table.keys.front() != Key::symbol && table.keys.front() != Key::variable;
  return is_short ? 0 : contents.limit;
}

// Whether the table has no content. Events without data sources have one row, in which all values are unavailable.
bool is_silent(const MemoryTable& table) {
  return table.rows.size() == 1 &&
         std::ranges::all_of(table.rows.front().cells, [](auto cell) { return cell == "N/A"; });
}

// One table with the shares, amounts and latencies of its rows.
class AccessTable {
 public:
  AccessTable(const MemoryTable& table, const MemoryContents& contents, const TerminalStyle& style, TextWriter& out)
      : table_(table),
        contents_(contents),
        shown_(first_rows(table.rows, limit_of(table, contents))),
        with_latency_(contents.report.all.latency.count() != 0),
        keys_(table.keys, style),
        out_(out) {}

  void write() {
    for (const MemoryRow& row : shown_) keys_.add(row.cells);
    keys_.fit(share_width + interval_width + number_width * (with_latency_ ? 8 : 3));
    header();
    for (std::size_t i = 0; i < shown_.size(); ++i) row(i);
    rest();
  }

 private:
  void header() {
    out_.right("share", share_width);
    out_.right("95 % interval", interval_width);
    for (const char* name : {"samples", "loads", "stores"}) out_.right(name, number_width);
    if (with_latency_) {
      for (const char* name : {"P50", "P90", "P99", "P99.9", "max"}) out_.right(name, number_width);
    }
    keys_.write_names(out_);
    out_.character('\n');
  }

  void row(std::size_t number) {
    const AccessSums& sums = shown_[number].sums;
    const analysis::ShareInterval share = share_of(sums, contents_.report.all, contents_.order);
    out_.right(percent_text(share.share), share_width);
    out_.right(fmt::format("{:.2f}-{:.2f}%", share.low, share.high), interval_width);
    out_.decimal(sums.amount.samples, number_width);
    out_.decimal(sums.loads, number_width);
    out_.decimal(sums.stores, number_width);
    if (with_latency_) latencies(sums.latency);
    keys_.write_row(number, out_);
    out_.character('\n');
  }

  void latencies(const Distribution& latency) {
    for (const double percent : shown_percentiles) {
      const auto value = latency.known_percentile(percent);
      out_.right(value ? std::to_string(*value) : "-", number_width);
    }
    out_.right(latency.count() != 0 ? std::to_string(latency.max()) : "-", number_width);
  }

  void rest() {
    const auto others = std::span(table_.rows).subspan(shown_.size());
    if (others.empty()) return;
    AccessSums sums;
    for (const MemoryRow& row : others) sums.amount += row.sums.amount;
    out_.right(percent_text(share_of(sums, contents_.report.all, contents_.order).share), share_width);
    out_.format("  in {} more (--limit 0 shows all)\n", counted(others.size(), "row"));
  }

  const MemoryTable& table_;
  const MemoryContents& contents_;
  const std::span<const MemoryRow> shown_;
  const bool with_latency_;
  KeyColumns keys_;
  TextWriter& out_;
};

std::string row_name(const MemoryRow& row) {
  std::string name;
  for (const std::string_view cell : row.cells) name += (name.empty() ? "" : " ") + printable(cell);
  return name;
}

// The number of accesses that took 2^n to 2^(n+1) - 1.
void write_histogram(const MemoryRow& row, TextWriter& out) {
  constexpr std::size_t range_width = 22, bar_width = 40;
  const Distribution& latency = row.sums.latency;
  if (latency.count() == 0) return;
  out.format("\n{}: latency of {}\n", row_name(row), counted(latency.count(), "access", "accesses"));
  const auto powers = latency.powers();
  const std::uint64_t most = *std::ranges::max_element(powers);
  const auto is_used = [](std::uint64_t count) { return count != 0; };
  const auto first = std::ranges::find_if(powers, is_used) - powers.begin();
  const auto last = 63 - (std::find_if(powers.rbegin(), powers.rend(), is_used) - powers.rbegin());
  for (auto power = first; power <= last; ++power) {
    const std::uint64_t low = power == 0 ? 0 : std::uint64_t{1} << power;
    const std::uint64_t high = (std::uint64_t{1} << power) - 1 + (std::uint64_t{1} << power);
    const std::uint64_t count = powers[static_cast<std::size_t>(power)];
    out.right(fmt::format("{}-{}", low, high), range_width);
    out.decimal(count, number_width);
    const double percent = 100.0 * static_cast<double>(count) / static_cast<double>(most);
    const std::string drawn = bar(percent, bar_width, false);
    out.format("  {}\n", std::string_view(drawn).substr(0, drawn.find_last_not_of(' ') + 1));
  }
}

void write_summary(const analysis::MemoryReport& report, TextWriter& out) {
  out.format("{}: {}, {}\n", counted(report.all.amount.samples, "memory access", "memory accesses"),
             counted(report.counts.loads, "load"), counted(report.counts.stores, "store"));
  if (report.local + report.remote != 0) {
    out.format("served on the node of the CPU: {}; from another node: {}\n", report.local, report.remote);
  }
  if (report.on_own_node + report.on_other_node != 0) {
    out.format("page on the node of the CPU: {}; on another node: {}; not known: {}\n", report.on_own_node,
               report.on_other_node, report.node_unknown);
  }
}

}  // namespace

std::vector<analysis::Keys> overview_tables() {
  return {{Key::operation, Key::level},
          {Key::tlb},
          {Key::snoop},
          {Key::locked},
          {Key::blocked},
          {Key::kind},
          {Key::symbol, Key::dso},
          {Key::variable, Key::dso_daddr}};
}

void write_memory_text(const MemoryContents& contents, const TerminalStyle& style, TextWriter& out) {
  if (contents.overview) write_summary(contents.report, out);
  for (const MemoryTable& table : contents.report.tables) {
    if (contents.overview && is_silent(table)) continue;
    if (contents.overview || &table != &contents.report.tables.front()) out.character('\n');
    AccessTable(table, contents, style, out).write();
    if (contents.histogram && &table == &contents.report.tables.front()) {
      for (const MemoryRow& row : first_rows(table.rows, contents.limit)) write_histogram(row, out);
    }
  }
  write_notes(contents.notes, out);
}

}  // namespace perfsift::output
