#include "tools/top/interval_text.h"

#include <algorithm>
#include <ctime>

#include <fmt/format.h>

#include "base/counted.h"
#include "output/columns.h"
#include "output/report/report_table.h"
#include "output/text_writer.h"
#include "tools/record/recorded_totals.h"

namespace perfsift::tools {
namespace {

// Around the rows of a table: the name of the event, the names of the columns, the sum of the other rows, and a line
// between two tables.
constexpr std::size_t lines_around_table = 4;
// The summary, the line below it, the line above the notes, and the line of keys.
constexpr std::size_t lines_around_tables = 4;

double rate_of(const IntervalSummary& summary) {
  return summary.seconds > 0 ? static_cast<double>(summary.samples) / summary.seconds : 0;
}

}  // namespace

std::size_t rows_that_fit(std::size_t terminal_rows, std::size_t tables, std::size_t notes) {
  if (tables == 0) return 1;
  const std::size_t taken = lines_around_tables + notes + tables * lines_around_table;
  return std::max<std::size_t>((terminal_rows - std::min(terminal_rows, taken)) / tables, 1);
}

std::string summary_line(const IntervalSummary& summary) {
  std::string line = fmt::format("{} in {:.1f} s ({:.0f}/s), {}", counted(summary.samples, "sample"), summary.seconds,
                                 rate_of(summary), lost_text(summary.lost, summary.samples));
  if (summary.left_out != 0) line += fmt::format(", {} left out (too many for an interval)", summary.left_out);
  return line + fmt::format("; perfsift takes {:.1f} % of a CPU", 100 * summary.own_cpu);
}

std::string interval_text(const IntervalSummary& summary, const std::vector<analysis::ReportTable>& tables,
                          const analysis::Keys& keys, std::size_t limit, const std::vector<std::string>& notes,
                          const output::TerminalStyle& style) {
  output::TextWriter out;
  std::string line = summary_line(summary);
  if (style.is_terminal()) line = output::cut_to(line, style.columns, output::CutEnd::end, style.unicode);
  out.format("{}\n\n", line);
  output::write_report_text({.tables = tables, .keys = keys, .limit = limit, .notes = notes}, style, out);
  return std::string(out.view());
}

std::string interval_json(const IntervalSummary& summary, const std::vector<analysis::ReportTable>& tables,
                          const analysis::Keys& keys, std::size_t limit, const std::vector<std::string>& notes) {
  output::Json json{{"time", static_cast<std::int64_t>(std::time(nullptr))},
                    {"seconds", summary.seconds},
                    {"samples", summary.samples},
                    {"lost", summary.lost},
                    {"left_out", summary.left_out},
                    {"own_cpu_percent", 100 * summary.own_cpu}};
  json.update(output::report_json({.tables = tables, .keys = keys, .limit = limit, .notes = notes}));
  return json.dump(-1, ' ', true, output::Json::error_handler_t::replace) + '\n';
}

}  // namespace perfsift::tools
