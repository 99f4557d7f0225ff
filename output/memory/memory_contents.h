// The contents of all outputs about memory accesses.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/memory/cache_lines.h"
#include "analysis/memory/memory_report.h"

namespace perfsift::output {

struct MemoryContents {
  const analysis::MemoryReport& report;
  analysis::MemoryOrder order = analysis::MemoryOrder::weight;  // the order by which shares are shown
  std::size_t limit = 0;                                        // rows of each table; 0: all
  bool overview = false;   // the tables are those of the overview: see overview_tables()
  bool histogram = false;  // the first table's rows have histograms of latencies
  std::vector<std::string> notes;
};

// The tables of the overview: the results of accesses, and the code and the data with the most weight.
std::vector<analysis::Keys> overview_tables();

struct LineContents {
  const analysis::MemoryReport& report;
  const analysis::CacheLines& lines;
  std::size_t limit = 0;  // number of lines; 0: all
  std::vector<std::string> notes;
};

}  // namespace perfsift::output
