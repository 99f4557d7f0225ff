// perfsift fleet: what costs a fleet most, what changed, and which hosts are odd.

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "options/number_option.h"
#include "output/fleet/fleet_json.h"
#include "output/fleet/fleet_text.h"
#include "output/report/report_table.h"
#include "store/open_store.h"
#include "store/url.h"
#include "tools/command.h"
#include "tools/fleet/fleet_questions.h"
#include "tools/terminal.h"

namespace perfsift::tools {
namespace {

struct FleetOptions {
  std::vector<std::string> urls;
  std::string since, baseline;
  std::optional<std::size_t> limit;
  std::string output = output::OutputFile::standard_output;
  bool json = false;
  bool quiet = false;

  void add_to(options::po::options_description& description);
  // Throw UsageError.
  const std::string& url() const;
  FleetSides sides() const;
};

void FleetOptions::add_to(options::po::options_description& description) {
  auto add = description.add_options();
  add("url", options::po::value(&urls)->value_name("URL"), "the store, with labels and times: see perfsift-store");
  add("since", options::po::value(&since)->value_name("TIME"),
      "compare what was recorded from this time on with what was before: 2026-11-28T10:00");
  add("baseline", options::po::value(&baseline)->value_name("NAME=VALUE"),
      "compare with the recordings that these labels or times choose instead: version=1.1&kernel=6.1");
  add("limit", options::whole_number(limit), "rows of each part; 0: all (20; with --json, all)");
  add("json", options::po::bool_switch(&json), "write one JSON object");
  add("output,o", options::po::value(&output)->value_name("FILE"), "where to write (standard output)");
  add("quiet,q", options::po::bool_switch(&quiet), "no progress");
}

const std::string& FleetOptions::url() const {
  if (urls.size() == 1) return urls.front();
  throw UsageError(urls.empty()
                       ? "fleet: name a store, such as chdb:DIR"
                       : "fleet: looks at one store; --baseline NAME=VALUE compares with other recordings of it");
}

FleetSides FleetOptions::sides() const {
  if (!since.empty() && !baseline.empty()) throw UsageError("--since and --baseline: choose one");
  FleetSides sides{.since = {}, .baseline = baseline};
  if (since.empty()) return sides;
  sides.since = store::parse_time(since);
  if (!sides.since) {
    throw UsageError(printable(
        fmt::format("--since {}: is no time; 2026-11-28T10:00:00Z is one, and so are seconds since 1970", since)));
  }
  return sides;
}

void write_answers(const FleetOptions& options, const output::FleetContents& contents) {
  write_output(options.output, [&](output::OutputFile& file) {
    output::TextWriter out([&](std::string_view text) { file.write(text); });
    options.json ? output::write_json(output::fleet_json(contents), out) : output::write_fleet_text(contents, out);
    out.flush();
  });
}

// Costs alone are an answer only to a question about costs: the user who asks what changed must not take silence for
// no.
int status_of(const FleetSides& sides, const output::FleetContents& contents) {
  const bool compared = std::ranges::any_of(contents.comparisons, &output::FleetComparison::is_judged);
  const bool judged = compared || (contents.hosts_judged() != 0 && !sides.are_given());
  return judged ? done : cannot_judge;
}

int fleet(FleetOptions& options) {
  constexpr std::size_t usual_rows = 20;
  const store::StoreUrl url = store::parse_store_url(options.url());
  const FleetSides sides = options.sides();
  if (!sides.baseline.empty()) (void)store::with_query(url.selection, sides.baseline);
  Progress progress(options.quiet);
  output::FleetContents contents;
  {
    const auto engine = store::open_store(url, store::StoreUse::read);
    store::with_store_named(url, [&] {
      contents = ask_fleet(*engine, url, sides, [&](std::string_view service) {
        progress.show([&] { return fmt::format("asking about service {}", service); });
      });
    });
  }
  progress.end();
  contents.limit = options.limit.value_or(options.json ? 0 : usual_rows);
  write_answers(options, contents);
  return status_of(sides, contents);
}

}  // namespace

extern const Command fleet_command{
    .name = "fleet",
    .summary = "show what costs a fleet most, what changed, and odd hosts",
    .usage =
        "Usage: perfsift fleet [OPTIONS] URL\n\nAnswers three questions about the recordings of many hosts in a store: "
        "which functions\ncost most, what changed since a time or between versions, and which hosts are odd.\nEach "
        "answer "
        "has an interval, and the command that shows it as a picture.\n",
    .positional = "url",
    .start = start<RunWith<FleetOptions, fleet>>,
};

}  // namespace perfsift::tools
