// perfsift diff: what changed from one profile to another.

#include <algorithm>
#include <iterator>
#include <set>
#include <string>

#include <fmt/format.h>

#include "analysis/comparison/comparison.h"
#include "analysis/comparison/joined_profile.h"
#include "base/error.h"
#include "base/printable.h"
#include "output/diff/diff_folded.h"
#include "output/diff/diff_table.h"
#include "output/quality/quality_lines.h"
#include "output/report/report_table.h"
#include "tools/command.h"
#include "tools/diff/diff_options.h"
#include "tools/diff/diff_picture.h"
#include "tools/diff/folded_counts.h"
#include "tools/open_store.h"
#include "tools/picture/chosen_part.h"
#include "tools/terminal.h"

namespace perfsift::tools {
namespace {

using analysis::Report;
using analysis::ReportTable;

// The profiles of both sides.
struct Sides {
  analysis::Profile before, after;
  bool counts = false;             // of folded text: see take_counts_for_samples()
  std::vector<std::string> notes;  // what is lost, cut or has no name on each side, and what counts are taken for
};

bool is_folded_text(const InputReport& report) { return report.kind == analysis::InputKind::folded_text; }

void read_side(DiffOptions& options, std::size_t side, Sides& sides) {
  const bool is_before = side == DiffOptions::before;
  analysis::Profile& profile = is_before ? sides.before : sides.after;
  options.inputs.read_group(side, profile, options.stacks);
  const auto reports = options.inputs.reports_of_group(side);
  std::vector<std::string> notes = output::quality_lines(quality_of(reports));
  if (std::ranges::all_of(reports, is_folded_text)) {
    sides.counts = true;
    notes.push_back(take_counts_for_samples(profile));
  }
  for (const std::string& note : notes) sides.notes.push_back((is_before ? "before: " : "after: ") + note);
}

void read_sides(DiffOptions& options, Sides& sides) {
  const StoreStaysOpen for_both;
  for (const std::size_t side : {DiffOptions::before, DiffOptions::after}) read_side(options, side, sides);
}

std::set<std::string_view> events_of(const Report& report) {
  std::set<std::string_view> events;
  for (const ReportTable& table : report.tables()) events.insert(table.event_name);
  return events;
}

// Amounts of different events cannot be compared.
void check_events(const Report& before, const Report& after) {
  const std::set<std::string_view> first = events_of(before), second = events_of(after);
  if (first == second) return;
  if (first.empty() || second.empty()) {
    throw UsageError(std::string("no samples are left ") + (first.empty() ? "before" : "after") +
                     ", so there is nothing to compare: look at the side with perfsift info, or use another filter");
  }
  std::string advice = "record both sides with the same event";
  if (first.contains(analysis::no_event) || second.contains(analysis::no_event))
    advice = "folded text names no event; perfsift fold makes folded text of the other side, too";
  for (const std::string_view event : first) {
    if (second.contains(event)) advice = fmt::format("--event '{}' compares the event that both have", event);
  }
  throw UsageError(printable(fmt::format("the sides have different events, {} before and {} after: {}",
                                         fmt::join(first, ", "), fmt::join(second, ", "), advice)));
}

// Periods on one side only: the other side was recorded without, or its text does not have them.
void check_weights(const Report& before, const Report& after) {
  const auto has_periods = [](const ReportTable& table) { return table.all.value != table.all.samples; };
  for (const ReportTable& table : before.tables()) {
    const auto other = std::ranges::find(after.tables(), table.event_name, &ReportTable::event_name);
    if (other == after.tables().end() || has_periods(table) == has_periods(*other)) continue;
    throw UsageError(
        printable(fmt::format("{}: only one side has the periods of samples; --weight samples compares "
                              "numbers of samples",
                              table.event_name)));
  }
}

void write_tables(const DiffOptions& options, const Sides& sides, const Report& before, const Report& after,
                  output::TextWriter& out) {
  const output::TerminalStyle style = terminal_style(options.output);
  const auto tables = analysis::compare(before, after, options.what, options.shape.order);
  const output::DiffContents contents{.tables = tables,
                                      .keys = options.shape.keys,
                                      .what = options.what,
                                      .limit = options.rows(style),
                                      .counts = sides.counts,
                                      .notes = sides.notes};
  if (options.csv) return output::write_diff_csv(contents, out);
  if (!options.json) return output::write_diff_text(contents, style, out);
  output::write_json(output::diff_json(contents), out);
}

void write_folded(const DiffOptions& options, const Sides& sides, output::TextWriter& out) {
  const analysis::JoinedProfile joined(sides.before, sides.after, analysis::SameFrame::name, options.shape.names);
  output::write_diff_folded(joined, options.what, options.inputs.threads(), out);
}

void write_changes(const DiffOptions& options, const Sides& sides, const Report& before, const Report& after,
                   output::OutputFile& file) {
  if (const auto format = options.picture()) {
    DiffPicture picture{.look = options.look(*format),
                        .what = options.what,
                        .names = options.shape.names,
                        .weight = options.stacks.weight,
                        .left_out_before = samples_left_out(options.inputs.reports_of_group(DiffOptions::before)),
                        .left_out_after = samples_left_out(options.inputs.reports_of_group(DiffOptions::after)),
                        .negated = options.negated,
                        .counts = sides.counts,
                        .threads = options.inputs.threads()};
    std::ranges::move(notes_of_choices(options.inputs, options.stacks), std::back_inserter(picture.look.notes));
    std::ranges::copy(sides.notes, std::back_inserter(picture.look.notes));
    return draw_difference(sides.before, sides.after, picture, file);
  }
  output::TextWriter out([&](std::string_view text) { file.write(text); });
  options.folded ? write_folded(options, sides, out) : write_tables(options, sides, before, after, out);
  out.flush();
}

void compare_sides(DiffOptions& options, const Sides& sides) {
  const Report before(sides.before, nullptr, options.shape), after(sides.after, nullptr, options.shape);
  check_events(before, after);
  if (!sides.counts) check_weights(before, after);
  options.inputs.write(options.output,
                       [&](output::OutputFile& file) { write_changes(options, sides, before, after, file); });
}

int diff(DiffOptions& options) {
  options.prepare();
  options.inputs.check_output(options.output);
  Sides sides;
  read_sides(options, sides);
  const bool both = any_usable(options.inputs.reports_of_group(DiffOptions::before)) &&
                    any_usable(options.inputs.reports_of_group(DiffOptions::after));
  if (both) compare_sides(options, sides);
  return options.inputs.conclude();
}

}  // namespace

extern const Command diff_command{
    .name = "diff",
    .summary = "show what changed from one profile to another",
    .usage =
        "Usage: perfsift diff [OPTIONS] BEFORE AFTER\n"
        "       perfsift diff [OPTIONS] --before FILE... --after FILE...\n\nShows what changed from one profile to "
        "another, and which changes are more than chance.\n",
    .positional = ReadingOptions::positional,
    .start = start<RunWith<DiffOptions, diff>>,
};

}  // namespace perfsift::tools
