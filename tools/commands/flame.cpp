// perfsift flame: recordings, text of perf script and folded stacks as a flame graph.

#include "output/flame/flame.h"

#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/collect/text_collector.h"
#include "analysis/comparison/one_event.h"
#include "analysis/profile/call_tree.h"
#include "analysis/profile/lost_frames.h"
#include "analysis/table/stack_timeline.h"
#include "base/error.h"
#include "base/path.h"
#include "base/printable.h"
#include "options/folded_stack_options.h"
#include "options/number_option.h"
#include "output/offcpu/duration_text.h"
#include "output/quality/quality_lines.h"
#include "tools/command.h"
#include "tools/diff/diff_picture.h"
#include "tools/diff/folded_counts.h"
#include "tools/picture/chosen_part.h"
#include "tools/picture/event_unit.h"
#include "tools/picture/picture_options.h"
#include "tools/profile/profile_command.h"

namespace perfsift::tools {
namespace {

using analysis::Amount;
using analysis::CallTree;
using analysis::Profile;
using analysis::TreeAmounts;

// The options of the command line.
struct FlameCommand : CommandRun {
  ProfileCommand inputs;
  PictureOptions picture;
  analysis::StackOptions stacks;
  bool reversed = false;
  bool chart = false;
  bool lost_frames = false;
  bool negated = false;
  std::uint64_t total = 0;
  std::string removed_events;  // see ProfileCommand::keep_shown_events()

  void add_to(options::po::options_description& description) override;
  int run(const options::Arguments& words) override;

 private:
  void prepare();

  options::FoldedStackOptions folding_{options::FoldedStackOptions::NamedBy::perfsift};
};

void FlameCommand::add_to(options::po::options_description& description) {
  namespace po = options::po;
  picture.add_to(description);
  auto add = description.add_options();
  add("reverse", po::bool_switch(&reversed), "start with the leaves, and show the callers of each function below it");
  add("flamechart", po::bool_switch(&chart), "show stacks in the order of time, one lane per thread");
  add("total", options::whole_number(total)->value_name("NUMBER"), "the amount that is 100 % (the sum)");
  add("lost-frames", po::bool_switch(&lost_frames), "show losses as stacks: [lost samples], [lost records]");
  add("negate", po::bool_switch(&negated), "for text with two counts: swap colours, red is less");
  folding_.add_to(description);
  inputs.add_to(description);
}

void FlameCommand::prepare() {
  if (chart && (reversed || lost_frames || total != 0))
    throw UsageError("--flamechart cannot be combined with --reverse, --lost-frames and --total");
  stacks = folding_.stacks();
  stacks.frames.detail = analysis::FrameDetail::function;
  picture.check();
  inputs.prepare();
  inputs.fail_if_empty();
  if (lost_frames) inputs.show_losses();
}

// Several events are columns, each with a unit of its own.
void set_units(const Profile& profile, const FlameCommand& command, output::FlameOptions& options) {
  if (command.picture.has_count_name()) return;
  options.unit = {};
  const std::vector<analysis::EventId> events = profile.events_with_stacks();
  for (const analysis::EventId event : events) {
    const output::AmountUnit unit = unit_of_event(profile, event, command.stacks.weight);
    if (events.size() == 1) options.unit = unit;
    options.units.emplace(profile.frames().text(profile.event_frame(event)), unit);
  }
}

// 1,204,567
std::string with_separators(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

// Sorted, as columns are: the first thread that meets an event numbers it.
std::vector<std::string_view> event_names(const Profile& profile) {
  std::vector<std::string_view> names;
  for (const analysis::EventId event : profile.events_with_stacks()) names.push_back(profile.events()[event]);
  std::ranges::sort(names);
  return names;
}

// "perf.data: 1,204 samples of cycles", or, where options left out samples, "perf.data: 321 of 1,204 samples, cycles".
std::string subtitle_of(const FlameCommand& command, const Profile& profile, const Amount& all) {
  const std::vector<std::string>& paths = command.inputs.paths();
  std::string text = paths.size() == 1 ? std::string(base_name(paths[0])) : fmt::format("{} inputs", paths.size());
  if (paths.size() == 1 && output::OutputFile::is_standard_output(text)) text = "standard input";
  const std::uint64_t left_out = samples_left_out(command.inputs.reports());
  text += ": " + with_separators(all.samples);
  if (left_out != 0) text += " of " + with_separators(all.samples + left_out);
  text += all.samples + left_out == 1 ? " sample" : " samples";
  std::string_view before = left_out != 0 ? ", " : " of ";
  for (const std::string_view event : event_names(profile)) {
    if (event == analysis::no_event) continue;
    text += before;
    text += event;
    before = ", ";
  }
  return text;
}

std::string title_of(const FlameCommand& command) {
  if (command.chart) return "Flame chart";
  const std::string kind = command.picture.flame_options().inverted ? "Icicle graph" : "Flame graph";
  return command.reversed ? kind + ", from the leaves" : kind;
}

// Fills in the options whose defaults come from the input.
output::FlameOptions flame_options(const FlameCommand& command, const Profile& profile, const Amount& all) {
  output::FlameOptions options = command.picture.flame_options();
  if (!command.picture.has_title()) options.title = title_of(command);
  if (!options.subtitle) options.subtitle = subtitle_of(command, profile, all);
  set_units(profile, command, options);
  options.reversed = command.reversed;
  options.total = command.total;
  if (!command.removed_events.empty()) options.notes.push_back("this picture " + command.removed_events);
  if (profile.events_with_stacks().size() > 1)
    options.notes.emplace_back("events are equally wide, because their amounts cannot be compared");
  std::ranges::move(notes_of_choices(command.inputs, command.stacks), std::back_inserter(options.notes));
  std::ranges::move(output::quality_lines(command.inputs.quality()), std::back_inserter(options.notes));
  return options;
}

void check_total(const FlameCommand& command, std::uint64_t sum, bool event_columns) {
  if (command.total == 0) return;
  if (event_columns) throw UsageError("--total: there are several events; choose one by --event");
  if (command.total < sum) throw UsageError(fmt::format("--total {}: less than the sum, {}", command.total, sum));
}

// Whether the inputs are the text of a difference, and both counts are wanted.
bool is_difference(const FlameCommand& command, const Profile& profile) {
  const auto has_two = [](const InputReport& report) {
    const auto* const folded = report.get<FoldedTextReport>();
    return folded != nullptr && folded->counts == analysis::FoldedCounts::two;
  };
  return std::ranges::all_of(command.inputs.reports(), has_two) && profile.events_with_stacks().size() == 2;
}

// Whoever wrote the text has scaled the counts, or not.
void draw_two_counts(FlameCommand& command, Profile& profile) {
  if (command.total != 0) throw UsageError("--total: a difference has two totals");
  Profile before, after;
  analysis::add_event(profile, profile.event(analysis::counts_before), before);
  analysis::add_event(profile, profile.event(analysis::counts_after), after);
  const std::string assumed = take_counts_for_samples(before, after);
  DiffPicture picture{.look = command.picture.flame_options(),
                      .what = analysis::ChangeOf::values,
                      .weight = command.stacks.weight,
                      .negated = command.negated,
                      .counts = true,
                      .threads = command.inputs.threads()};
  picture.look.reversed = command.reversed;
  picture.look.notes.push_back(assumed);
  command.inputs.write(command.picture.output(),
                       [&](output::OutputFile& out) { draw_difference(before, after, picture, out); });
}

void draw(FlameCommand& command, Profile& profile) {
  if (is_difference(command, profile)) return draw_two_counts(command, profile);
  if (command.negated) {
    throw UsageError("--negate: is for text with two counts, as difffolded.pl and perfsift diff --folded write it");
  }
  const bool several_events = profile.events_with_stacks().size() > 1;
  const CallTree tree(profile, {.reversed = command.reversed, .event_frames = several_events, .by_function = true},
                      command.inputs.threads());
  const TreeAmounts amounts(tree);
  const Amount all = amounts.total(CallTree::root);
  check_total(command, all.value, several_events);
  command.inputs.write(command.picture.output(), [&](output::OutputFile& out) {
    output::write_flame_graph({.amounts = &amounts, .event_columns = several_events},
                              flame_options(command, profile, all), out);
  });
}

// A chart has one order of time, and one kind of amount.
void check_chart(const FlameCommand& command, const Profile& profile) {
  if (command.inputs.paths().size() > 1) throw UsageError("--flamechart: draws one input");
  const InputReport& report = command.inputs.reports().front();
  if (report.kind == analysis::InputKind::pprof) {
    throw UsageError(printable(report.path) +
                     ": --flamechart needs the times of samples, and profiles of pprof have none; give the recording");
  }
  const std::vector<std::string_view> names = event_names(profile);
  if (names.size() > 1)
    throw UsageError(fmt::format("--flamechart: choose one event by --event; there are {}", fmt::join(names, ", ")));
}

// A note on what a chart of many samples does not show.
std::string joined_note(std::uint64_t column) {
  return fmt::format(
      "samples of a thread within {} are joined, and the whole time goes to one of their stacks, in turn, so that each "
      "stack keeps about its share; --time draws a part of the recording sample by sample",
      output::duration_text(column));
}

void draw_chart(FlameCommand& command, Profile& profile, const analysis::SampleTable& table) {
  check_chart(command, profile);
  // Folded text has no times, but may have an order.
  const bool timed = !table.samples().empty();
  const analysis::StackTimeline timeline =
      timed ? analysis::timeline_of_threads(table, profile) : analysis::timeline_of_stacks(profile);
  if (timed && timeline.untimed == table.samples().size())
    throw InputError(command.inputs.paths().front() + ": the samples have no times (perf record -T)");
  Amount all;
  for (const analysis::StackTimeline::Node& node : timeline.nodes) all += node.self;
  output::FlameOptions options = flame_options(command, profile, all);
  options.inverted |= timed;  // the name of a thread is above its stacks
  options.unit.nanoseconds |= timed;
  if (!timed) options.notes.emplace_back("from left to right: the order of the lines, as folded text has no times");
  if (timeline.column != 0) options.notes.push_back(joined_note(timeline.column));
  if (timeline.untimed != 0) options.notes.push_back(fmt::format("without a time: {} samples", timeline.untimed));
  command.inputs.write(command.picture.output(), [&](output::OutputFile& out) {
    output::write_flame_chart(timeline, profile.frames(), options, out);
  });
}

int FlameCommand::run(const options::Arguments&) {
  prepare();
  output::RunFiles files;
  inputs.note_files(files);
  picture.note_files(files);
  Profile profile;
  analysis::TableBuilder rows({.in_order = true});
  inputs.read(profile, stacks, chart ? &rows : nullptr);
  if (inputs.any_shown()) {
    if (!chart) removed_events = inputs.keep_shown_events(profile);
    if (lost_frames) analysis::add_lost_frames(inputs.quality(), stacks.weight, profile);
    if (chart) {
      draw_chart(*this, profile, std::move(rows).seal());  // shows samples only
    } else {
      draw(*this, profile);
    }
  }
  return inputs.conclude();
}

}  // namespace

extern const Command flame_command{
    .name = "flame",
    .summary = "draw a flame graph, as SVG or HTML",
    .usage =
        "Usage: perfsift flame [OPTIONS] [FILE|DIRECTORY...]\n\nDraws a flame graph, SVG or HTML, of recordings, of "
        "text of perf script,\nand of folded stacks; several inputs are added up.\n",
    .positional = ReadingOptions::positional,
    .start = start<FlameCommand>,
};

}  // namespace perfsift::tools
