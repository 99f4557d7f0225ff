#include "tools/diff/diff_options.h"

#include "base/error.h"
#include "options/number_option.h"
#include "tools/picture/output_ending.h"
#include "tools/sort/sort_keys.h"
#include "tools/terminal.h"

namespace perfsift::tools {

void DiffOptions::add_to(options::po::options_description& description) {
  auto add = description.add_options();
  add("before", options::po::value(&before_)->value_name("FILE")->composing(),
      "a file of the first side; may be given several times");
  add("after", options::po::value(&after_)->value_name("FILE")->composing(),
      "a file of the second side; may be given several times");
  add("output,o", options::po::value(&output)->value_name("FILE"),
      "where to write (standard output); NAME.svg and NAME.html: a differential flame graph; NAME.json, NAME.csv and "
      "NAME.folded: as --json, --csv and --folded");
  add("absolute", options::po::bool_switch(&absolute_), "compare amounts as measured, not shares of each side");
  add("exact-names", options::po::bool_switch(&exact_names_),
      "do not join f with f.cold, f.isra.0, f.constprop.1 and the like");
  add("sort,s", options::po::value(&sort_)->value_name("KEYS"),
      "the keys of rows: symbol, dso, srcfile, comm, event (symbol,dso)");
  add("order", options::po::value(&order_)->value_name("self|total"),
      "sort by changes of the function itself, or with its callees (self)");
  add("limit", options::whole_number(limit_), "rows of each table; 0: all (40 on a terminal)");
  add("json", options::po::bool_switch(&json), "write one JSON object");
  add("csv", options::po::bool_switch(&csv), "write comma-separated values");
  add("folded", options::po::bool_switch(&folded), "write stacks with two counts, as difffolded.pl does");
  add("reverse", options::po::bool_switch(&reversed_), "picture: start with the leaves, and show callers below");
  add("negate", options::po::bool_switch(&negated), "picture: swap colours, red is less");
  look_.add_look_to(description);
  frames_.add_frames_to(description);
  frames_.add_interrupts_to(description);
  inputs.add_to(description);
}

void DiffOptions::prepare() {
  if (int{json} + int{csv} + int{folded} > 1) throw UsageError("--json, --csv and --folded: choose one");
  if (!json && !csv && !folded) take_format_of_name();
  set_shape();
  check_look();
  stacks = frames_.stacks();
  stacks.frames.detail = detail_for(shape.keys);
  what = absolute_ ? analysis::ChangeOf::values : analysis::ChangeOf::shares;
  inputs.prepare(sides());
}

void DiffOptions::take_format_of_name() {
  constexpr std::string_view endings[] = {".svg", ".html", ".htm", ".json", ".csv", ".folded"};
  check_ending(output, endings, "--json, --csv and --folded write");
  json = output.ends_with(".json");
  csv = output.ends_with(".csv");
  folded = output.ends_with(".folded");
}

void DiffOptions::set_shape() {
  if ((folded || picture()) && (!sort_.empty() || limit_))
    throw UsageError("--sort and --limit are for tables; --folded and pictures have all stacks");
  shape.keys = sort_keys(analysis::RowsOf::samples, sort_.empty() ? "symbol,dso" : sort_);
  for (const analysis::Key key : shape.keys) {
    if (!is_comparable(key)) {
      throw UsageError("--sort " + std::string(analysis::name_of(key)) +
                       ": not the same in two recordings, so there is nothing to compare");
    }
  }
  shape.names = exact_names_ ? analysis::FunctionNames::processes : analysis::FunctionNames::common;
  shape.order = row_order(order_);
}

void DiffOptions::check_look() {
  if (!picture() && (reversed_ || negated || look_.has_look()))
    throw UsageError("the options of pictures need one: -o NAME.svg or -o NAME.html");
  look_.check();
}

output::FlameOptions DiffOptions::look(output::PictureFormat format) const {
  output::FlameOptions options = look_.flame_options();
  options.format = format;
  options.reversed = reversed_;
  return options;
}

// Without files: the two last recordings in this folder, as perf diff compares.
std::vector<std::vector<std::string>> DiffOptions::sides() const {
  if (before_.empty() != after_.empty()) throw UsageError("--before and --after: each needs the other");
  if (!before_.empty()) {
    if (inputs.names_any_path()) throw UsageError("name all files by --before and --after, or two files without");
    return {before_, after_};
  }
  if (!inputs.names_any_path()) return {{"perf.data.old"}, {"perf.data"}};
  const std::vector<std::string> paths = inputs.named_paths();
  if (paths.size() != 2) {
    throw UsageError("two files are compared, not " + std::to_string(paths.size()) +
                     "; several a side: --before A --before B --after C");
  }
  return {{paths.front()}, {paths.back()}};
}

std::optional<output::PictureFormat> DiffOptions::picture() const {
  if (json || csv || folded) return std::nullopt;
  return picture_named(output);
}

std::size_t DiffOptions::rows(const output::TerminalStyle& style) const {
  if (limit_) return *limit_;
  return style.is_terminal() && !json && !csv ? rows_on_terminal : 0;
}

}  // namespace perfsift::tools
