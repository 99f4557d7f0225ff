// The tables of an interval as text and as JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/report/report.h"
#include "output/json.h"
#include "output/terminal_style.h"

namespace perfsift::tools {

// What is known of an interval beside its tables.
struct IntervalSummary {
  double seconds = 0;          // that the tables cover
  std::uint64_t samples = 0;   // before the filter
  std::uint64_t lost = 0;      // records for which the rings had no room
  std::uint64_t left_out = 0;  // samples for which this process had no room
  double own_cpu = 0;          // CPU time of this process, as a share of one CPU
  bool is_sum = false;         // of several intervals
};

// The rows that fit into a terminal below each other, for each of `tables` tables.
std::size_t rows_that_fit(std::size_t terminal_rows, std::size_t tables, std::size_t notes);

// "8012 samples in 2.0 s (4006/s), none lost; perfsift takes 1.2 % of a CPU"
std::string summary_line(const IntervalSummary& summary);
// summary_line(), the tables, and the notes. `limit`: rows of each table; 0: all.
std::string interval_text(const IntervalSummary& summary, const std::vector<analysis::ReportTable>& tables,
                          const analysis::Keys& keys, std::size_t limit, const std::vector<std::string>& notes,
                          const output::TerminalStyle& style);
// One line.
std::string interval_json(const IntervalSummary& summary, const std::vector<analysis::ReportTable>& tables,
                          const analysis::Keys& keys, std::size_t limit, const std::vector<std::string>& notes);

}  // namespace perfsift::tools
