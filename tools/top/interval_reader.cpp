#include "tools/top/interval_reader.h"

#include <algorithm>
#include <fstream>
#include <string_view>
#include <utility>

#include <malloc.h>

#include "analysis/samples/event_selection.h"
#include "analysis/table/table_builder.h"
#include "base/page_size.h"
#include "tools/sort/sort_keys.h"

namespace perfsift::tools {
namespace {

// A Symbolizer keeps the symbols of each file it has seen, so it is replaced now and then. It has read perf maps of
// compilers at run time once, so functions that were compiled since then lack their names, and it is replaced earlier;
// also where there was no perf map, which may come later.
constexpr std::chrono::minutes longest_life{10};
constexpr std::chrono::seconds life_without_a_map{60}, life_with_new_code{10};

// Beyond this memory of the process the Symbolizer is replaced, too, for machines on which ever new programs run.
constexpr std::uint64_t most_resident_bytes = std::uint64_t{512} << 20;

std::uint64_t resident_bytes() {
  std::ifstream in("/proc/self/statm");
  std::uint64_t size = 0, resident = 0;
  in >> size >> resident;
  return resident * page_size();
}

bool is_memory(std::string_view path) { return path.starts_with("//anon") || path.starts_with("/memfd:"); }

std::chrono::seconds life_after(const analysis::Quality& quality) {
  using symbolize::Missing;
  std::chrono::seconds life = longest_life;
  for (const auto& [place, frames] : quality.unresolved) {
    if (place.reason == Missing::map_missing) life = std::min(life, life_without_a_map);
    if (place.reason == Missing::no_symbol && is_memory(place.binary)) life = life_with_new_code;
  }
  return life;
}

}  // namespace

IntervalReader::IntervalReader(const TopOptions& options)
    : options_(options), naming_(options.naming.symbolize_options()), no_progress_(-1, {}) {}

symbolize::Symbolizer& IntervalReader::symbolizer() {
  const Clock::duration age = Clock::now() - symbols_since_;
  const bool is_old = age > life_ || (age > life_with_new_code && resident_bytes() > most_resident_bytes);
  if (symbolizer_ == nullptr || is_old) {
    symbolizer_.reset();  // writes the cache that the next one reads
    malloc_trim(0);
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
  life_ = life_after(tables.input.quality);
  return tables;
}

}  // namespace perfsift::tools
