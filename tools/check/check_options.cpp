#include "tools/check/check_options.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/gate/reasons.h"
#include "analysis/input/whole_file.h"
#include "base/error.h"
#include "base/printable.h"

namespace perfsift::tools {
namespace {

// "1.5%" or "1.5" as 0.015.
double percentage(const char* option, std::string_view text, double least, double most) {
  const std::string_view number = text.ends_with('%') ? text.substr(0, text.size() - 1) : text;
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  const bool valid = error == std::errc() && end == number.data() + number.size() && value >= least && value <= most;
  if (!valid) {
    throw UsageError(printable(fmt::format("--{} {}: a percentage from {:g} to {:g} is needed, for example {:g}%",
                                           option, text, least, most, std::max(least, 1.0))));
  }
  return value / 100;
}

bool is_first(const char* option, const std::string& value, std::string_view first, std::string_view second) {
  if (value != first && value != second)
    throw UsageError(printable(fmt::format("--{} {}: there are {} and {}", option, value, first, second)));
  return value == first;
}

void allow(const std::string& list, std::set<std::string, std::less<>>& allowed) {
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');) {
    const auto known = analysis::tolerable_reasons();
    if (std::ranges::find(known, word) == known.end())
      throw UsageError(printable(fmt::format("--allow {}: there are {}", word, fmt::join(known, ", "))));
    allowed.insert(word);
  }
}

}  // namespace

void CheckOptions::add_options(options::po::options_description& description) {
  namespace po = options::po;
  auto add = description.add_options();
  add("baseline", po::value(&baseline_)->value_name("FILE...")->composing()->multitoken(),
      "the runs to compare with; several are repeats");
  add("candidate", po::value(&candidate_)->value_name("FILE...")->composing()->multitoken(), "the runs to judge");
  add("output,o", po::value(&output)->value_name("FILE"), "where to write (standard output)");
  add("json", po::bool_switch(&json), "write one JSON object");
  add("budget", po::value(&budget_file_)->value_name("FILE"),
      "also judge the assertions in FILE: see perfsift-budget(7)");
  add("level", po::value(&level_)->value_name("PERCENT"), "false alarms, of 100 comparisons without a change (5%)");
  add("min-effect", po::value(&min_effect_)->value_name("PERCENT"),
      "the smallest change that matters, of the whole cost of the baseline (1%)");
  add("min-ratio", po::value(&min_ratio_)->value_name("PERCENT"),
      "the smallest change that matters, of the function's own cost (0%)");
  add("min-samples", po::value(&rules.min_samples)->value_name("N"),
      "functions with less samples on both sides together are not tested (20)");
  add("per", po::value(&per_)->value_name("share|run"),
      "compare shares of the cost, or the costs of runs that do the same work (share)");
  add("undecided", po::value(&undecided_)->value_name("pass|fail"),
      "what a function means for which the samples do not suffice (pass)");
  add("allow", po::value(&allow_)->value_name("LIST")->composing(),
      "judge in spite of: lost, throttled, damaged, cut, unnamed, machine, cpu, host, kernel, frequency, spread");
  ci.add_to(description);
  frames_.add_frames_to(description);
}

bool CheckOptions::parse(const options::Arguments& arguments) {
  options::po::options_description description("Options");
  add_options(description);
  inputs.add_to(description);
  if (!options::parse(arguments,
                      "Usage: perfsift check [OPTIONS] BASELINE CANDIDATE\n"
                      "       perfsift check [OPTIONS] --baseline FILE... --candidate FILE...\n"
                      "       perfsift check [OPTIONS] --budget FILE CANDIDATE...\n\nJudges whether a program "
                      "became slower, and names the functions; exit status 1 if so, 5 if that cannot be judged.\n",
                      description, ReadingOptions::positional)) {
    return false;
  }
  set_rules();
  read_budget();
  ci.prepare(output, json);
  stacks = frames_.stacks();
  stacks.comm = false;
  stacks.frames.detail = analysis::FrameDetail::function;
  inputs.prepare(sides());
  return true;
}

void CheckOptions::set_rules() {
  constexpr double everything = 100, least_level = 1e-6, most_level = 50;
  rules.level = percentage("level", level_, least_level, most_level);
  rules.min_effect = percentage("min-effect", min_effect_, 0, everything);
  rules.min_ratio = percentage("min-ratio", min_ratio_, 0, 1e6);
  rules.per_run = is_first("per", per_, "run", "share");
  rules.undecided_fails = is_first("undecided", undecided_, "fail", "pass");
  for (const std::string& list : allow_) allow(list, allowed);
}

// Mistakes in a budget are told before anything else is read.
void CheckOptions::read_budget() {
  if (budget_file_.empty()) return;
  budget = filter::parse_budget({.origin = budget_file_, .text = analysis::whole_file(budget_file_)});
}

void CheckOptions::note_files(output::RunFiles& files) const {
  inputs.note_files(files);
  files.reads(budget_file_);
  files.writes(output);
  ci.note_files(files);
}

std::vector<std::vector<std::string>> CheckOptions::sides() {
  const bool names_files = inputs.names_any_path();
  if (budget && baseline_.empty() && (!candidate_.empty() || inputs.named_paths().size() != 2)) {
    if (names_files && !candidate_.empty()) throw UsageError("name all files by --candidate, or all without");
    has_baseline_ = false;
    if (budget->needs_baseline()) {
      throw UsageError(printable(budget_file_) + ": compares with a baseline, which --baseline names");
    }
    if (ci.draws()) throw UsageError("--svg shows what changed, so it needs a baseline");
    return {{}, candidate_.empty() ? inputs.named_paths() : candidate_};
  }
  if (baseline_.empty() != candidate_.empty()) throw UsageError("--baseline and --candidate: each needs the other");
  if (!baseline_.empty()) {
    if (inputs.names_any_path()) throw UsageError("name all files by --baseline and --candidate, or two files without");
    return {baseline_, candidate_};
  }
  const std::vector<std::string> paths = inputs.names_any_path() ? inputs.named_paths() : std::vector<std::string>();
  if (paths.size() != 2) {
    throw UsageError(fmt::format(
        "a baseline and a candidate are needed, not {} files; several a side: --baseline A B --candidate C D",
        paths.size()));
  }
  return {{paths.front()}, {paths.back()}};
}

}  // namespace perfsift::tools
