#include "tools/check/history_options.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "options/number_option.h"
#include "tools/command.h"

namespace perfsift::tools {
namespace {

constexpr unsigned most_runs = 500;  // all pairs of runs are compared

std::uint64_t nanoseconds_now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
}

}  // namespace

void HistoryOptions::add_to(options::po::options_description& description) {
  namespace po = options::po;
  auto add = description.add_options();
  add("history", po::value(&folder_)->value_name("DIRECTORY"), "compare with the runs that are stored in DIRECTORY");
  add("runs", options::whole_number(runs_, {.least = 1, .most = most_runs}),
      "number of files of the history to compare with, the newest (20)");
  add("drift", po::value(&drift_)->value_name("fail|note"),
      "verdict for functions whose cost grows slowly over the history (fail)");
  add("save-baseline", po::value(&save_to_)->value_name("FILE|DIRECTORY"),
      "store the candidate if the check passes; a directory gets a new file");
  add("save-anyway", po::bool_switch(&save_anyway_), "store the candidate also if the check does not pass");
  add("prune", po::bool_switch(&prune_), "after storing, remove all but the newest files of the history");
}

void HistoryOptions::prepare(unsigned threads) {
  if (drift_ != "fail" && drift_ != "note")
    throw UsageError(printable(fmt::format("--drift {}: there are fail and note", drift_)));
  if (save_anyway_ && save_to_.empty()) throw UsageError("--save-anyway needs --save-baseline, which says where");
  if (output::OutputFile::is_standard_output(save_to_)) throw UsageError("--save-baseline needs a file or a directory");
  if (prune_ && (folder_.empty() || save_to_.empty()))
    throw UsageError("--prune needs --history and --save-baseline: it removes old files when a new one was stored");
  if (folder_.empty()) return;
  std::error_code none;
  if (std::filesystem::exists(folder_, none) && !std::filesystem::is_directory(folder_, none))
    throw UsageError(printable(fmt::format("--history {}: is no directory; --baseline names files", folder_)));
  history_.emplace(folder_, runs_, threads);
  baseline_ = history_->newest();
}

void HistoryOptions::note_files(output::RunFiles& files) const {
  std::error_code none;
  if (!save_to_.empty() && !save_to_.ends_with('/') && !std::filesystem::is_directory(save_to_, none))
    files.writes(save_to_);
}

bool HistoryOptions::baseline_changed() const {
  std::error_code none;
  return std::ranges::any_of(baseline_, [&](const std::string& path) { return !std::filesystem::exists(path, none); });
}

void HistoryOptions::set(analysis::Rules& rules) const {
  rules.history = history_ && files_are_repeats();
  rules.drift_fails = drift_ == "fail";
}

analysis::Reason HistoryOptions::nothing_stored(bool tolerated) const {
  return {.key = "history",
          .text = folder_ + ": no run is stored there",
          .advice = "--allow history lets the first one pass, and --save-baseline stores it",
          .tolerated = tolerated};
}

std::vector<std::string> HistoryOptions::notes(analysis::Outcome outcome) const {
  std::vector<std::string> notes;
  if (history_) notes = history_->notes();
  if (!save_to_.empty() && !stores(outcome))
    notes.emplace_back("the candidate is not stored, because the check did not pass; --save-anyway stores it");
  return notes;
}

bool HistoryOptions::stores(analysis::Outcome outcome) const {
  return !save_to_.empty() && (save_anyway_ || outcome == analysis::Outcome::passed);
}

void HistoryOptions::store(RunStore& runs, unsigned threads) {
  const std::uint64_t now = nanoseconds_now();
  runs.stamp(now);
  const std::string place = place_to_store(save_to_, now);
  write_output(place, [&](output::OutputFile& out) { runs.write(threads, out); });
  if (!prune_) return;
  history_->add(place, runs.stored_at());
  history_->prune();
}

}  // namespace perfsift::tools
