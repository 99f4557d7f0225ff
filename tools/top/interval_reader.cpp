#include "tools/top/interval_reader.h"

#include <algorithm>
#include <utility>

#include "analysis/samples/event_selection.h"
#include "analysis/table/table_builder.h"
#include "tools/report/sort_keys.h"

namespace perfsift::tools {
namespace {

// A Symbolizer keeps the symbols of each file it has seen, so it is replaced now and then. It has read perf maps of
// compilers at run time once, so functions that were compiled since then lack their names, and it is replaced earlier.
constexpr std::chrono::minutes longest_life{10};
constexpr std::chrono::seconds shortest_life{10};

bool lacks_names_of_new_code(const analysis::Quality& quality) {
  return std::ranges::any_of(quality.unresolved, [](const auto& place) {
    using symbolize::Missing;
    const auto& [where, frames] = place;
    const bool has_no_file = !where.binary.starts_with('/') || where.binary.starts_with("//anon");
    return where.reason == Missing::map_missing || (where.reason == Missing::no_symbol && has_no_file);
  });
}

}  // namespace

IntervalReader::IntervalReader(const TopOptions& options)
    : options_(options), naming_(options.naming.symbolize_options()), no_progress_(-1, {}) {}

symbolize::Symbolizer& IntervalReader::symbolizer() {
  const Clock::duration age = Clock::now() - symbols_since_;
  if (symbolizer_ == nullptr || age > longest_life || (lacks_names_of_new_code_ && age > shortest_life)) {
    symbolizer_.reset();  // writes the cache that the next one reads
    symbolizer_ = std::make_unique<symbolize::Symbolizer>(naming_);
    symbols_since_ = Clock::now();
  }
  return *symbolizer_;
}

IntervalTables IntervalReader::read(reader::InputFile recording) {
  IntervalTables tables{.profile = std::make_unique<analysis::Profile>(), .report = nullptr, .input = {}};
  const bool by_rows = need_table(options_.shape.keys);
  analysis::TableBuilder rows({.numbers = numbers_behind(options_.shape.keys)});
  const analysis::EventSelection all_events({});
  tables.input = read_into_profile(
      std::move(recording), *tables.profile,
      {symbolizer(), options_.stacks, all_events, options_.filter, 1, no_progress_, by_rows ? &rows : nullptr});
  std::optional<analysis::SampleTable> table;
  if (by_rows) table = std::move(rows).seal(*tables.profile);
  tables.report = std::make_unique<analysis::Report>(*tables.profile, table ? &*table : nullptr, options_.shape);
  lacks_names_of_new_code_ = lacks_names_of_new_code(tables.input.quality);
  return tables;
}

}  // namespace perfsift::tools
