// perfsift store: many recordings in one place, added up by labels and times.

#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "analysis/input/recording_folder.h"
#include "base/counted.h"
#include "base/error.h"
#include "base/printable.h"
#include "output/files/output_file.h"
#include "output/json.h"
#include "store/catalog.h"
#include "store/open_store.h"
#include "store/roll_up.h"
#include "store/url.h"
#include "tools/command.h"
#include "tools/recording/recording_run.h"
#include "tools/store/adding.h"
#include "tools/store/age_options.h"
#include "tools/store/chdb_setup.h"
#include "tools/store/label_options.h"
#include "tools/store/parquet_files.h"
#include "tools/store/store_texts.h"

namespace perfsift::tools {
namespace {

struct StoreCommand : CommandRun {
  RecordingOptions recordings;  // of which the first inputs are the subcommand and the store
  LabelOptions labels;
  AgeOptions ages;
  bool json = false;
  bool all = false;
  bool repair = false;
  std::string output = output::OutputFile::standard_output;

  void add_to(options::po::options_description& options) override;
  int run(const options::Arguments& words) override;
  // The address of the store, which takes no further words.
  store::StoreUrl only_url() const;
};

void StoreCommand::add_to(options::po::options_description& options) {
  auto add = options.add_options();
  labels.add_to(options);
  ages.add_to(options);
  add("json", options::po::bool_switch(&json), "list, show: write JSON");
  add("all", options::po::bool_switch(&all), "remove: all recordings");
  add("repair", options::po::bool_switch(&repair), "check: remove the rows of loads that broke off");
  add("output,o", options::po::value(&output)->value_name("FILE"), "export: where to write (standard output)");
  recordings.inputs.add_to(options);
  recordings.jobs.add_to(options);
  recordings.naming.add_to(options);
  recordings.debuginfod.add_to(options);
}

store::StoreUrl StoreCommand::only_url() const {
  const std::vector<std::string>& words = recordings.inputs.inputs;
  if (words.size() != 2) throw UsageError(fmt::format("store {}: takes one store, such as chdb:DIR", words.front()));
  return store::parse_store_url(words[1]);
}

// The recordings that labels and times choose.
store::Selection of_recordings(const store::StoreUrl& url) {
  const store::Selection& selection = url.selection;
  if (!selection.events.empty() || !selection.threads.empty() || !selection.cgroups.empty())
    throw UsageError("event, thread and cgroup choose samples, not recordings: use labels, from and to");
  return selection;
}

bool chooses_all(const store::Selection& selection) {
  return selection.labels.empty() && !selection.from && !selection.to;
}

int add(StoreCommand& command) {
  std::vector<std::string>& words = command.recordings.inputs.inputs;
  if (words.size() < 2) throw UsageError("store add: takes a store, such as chdb:DIR, and files");
  const store::StoreUrl url = store::parse_store_url(words[1]);
  if (!chooses_all(of_recordings(url)))
    throw UsageError("store add: gives labels by --label, not in the address of the store");
  words.erase(words.begin(), words.begin() + 2);
  const Labelling labelling(command.labels);
  std::vector<std::string> skipped;
  RecordingRun run(command.recordings, analysis::with_folders_opened(command.recordings.inputs.paths(), skipped));
  for (const std::string& path : run.paths()) {
    if (store::is_store_url(path)) throw UsageError(printable(path) + ": is a store, and files are added");
    if (path == "-") throw UsageError("store add: standard input cannot be added, as what is added is read twice");
  }
  AddedRecordings added;
  {
    const auto engine = store::open_store(url, store::StoreUse::make);
    store::with_store_named(url, [&] { added = add_to_store(run, labelling, *engine); });
  }
  for (const std::string& file : skipped) run.diagnostics().warning(file, "skipped: not a recording");
  std::string text =
      fmt::format("added {}, {}", counted(added.recordings, "recording"), counted(added.samples, "sample"));
  if (added.already_there != 0) text += fmt::format("; {} already there", added.already_there);
  std::cout << text << '\n';
  return run.conclude();
}

void print(const output::Json& json) { std::cout << json.dump(2) << '\n'; }

int list(const StoreCommand& command) {
  const store::StoreUrl url = command.only_url();
  const store::Selection selection = of_recordings(url);
  std::vector<store::StoredRecording> recordings;
  const auto engine = store::open_store(url, store::StoreUse::read);
  store::with_store_named(url, [&] { recordings = store::list_recordings(*engine, selection); });
  command.json ? print(list_json(recordings)) : void(std::cout << list_text(recordings));
  return done;
}

int show(const StoreCommand& command) {
  const store::StoreUrl url = command.only_url();
  const store::Selection selection = of_recordings(url);
  store::StoreSummary summary;
  const auto engine = store::open_store(url, store::StoreUse::read);
  store::with_store_named(url, [&] { summary = store::summarize(*engine, selection); });
  command.json ? print(summary_json(summary)) : void(std::cout << summary_text(summary));
  return done;
}

int remove(const StoreCommand& command) {
  const store::StoreUrl url = command.only_url();
  store::Selection selection = of_recordings(url);
  command.ages.choose_old(selection);
  if (chooses_all(selection) != command.all) {
    throw UsageError(command.all ? "store remove --all: the address of the store, or --older-than, chooses some"
                                 : "store remove: removes the recordings that labels and times choose, "
                                   "'chdb:DIR?host=a', and old ones by --older-than 90d; --all removes all");
  }
  std::uint64_t removed = 0;
  const auto engine = store::open_store(url, store::StoreUse::migrate);
  store::with_store_named(url, [&] { removed = store::remove_recordings(*engine, selection); });
  std::cout << fmt::format("removed {}\n", counted(removed, "recording"));
  return done;
}

int roll_up(const StoreCommand& command) {
  const store::StoreUrl url = command.only_url();
  const store::Selection selection = of_recordings(url);
  const store::RollUpOptions options = command.ages.roll_up();
  store::RolledUp rolled_up;
  const auto engine = store::open_store(url, store::StoreUse::migrate);
  store::with_store_named(url, [&] { rolled_up = store::roll_up(*engine, selection, options); });
  std::cout << rolled_up_text(rolled_up);
  return done;
}

int check(const StoreCommand& command) {
  const store::StoreUrl url = command.only_url();
  if (!chooses_all(of_recordings(url))) throw UsageError("store check: checks all of a store");
  store::StoreCheck found;
  const auto engine = store::open_store(url, store::StoreUse::migrate);
  store::with_store_named(url, [&] {
    if (command.repair) store::remove_broken_loads(*engine);
    found = store::check_store(*engine);
  });
  std::cout << check_text(found);
  return found.is_whole() ? done : check_failed;
}

int export_samples(const StoreCommand& command) {
  write_parquet(command.only_url(), command.output);
  return done;
}

int setup(const StoreCommand& command) {
  if (command.recordings.inputs.inputs.size() != 1) throw UsageError("store setup: takes no arguments");
  const std::string library = set_up_chdb();
  std::cout << fmt::format("libchdb.so is in {}\n", printable(library));
  return done;
}

int StoreCommand::run(const options::Arguments&) {
  const std::string verb = recordings.inputs.inputs.empty() ? "" : recordings.inputs.inputs.front();
  if (verb == "add") return add(*this);
  if (verb == "list") return list(*this);
  if (verb == "show") return show(*this);
  if (verb == "remove") return remove(*this);
  if (verb == "roll-up") return roll_up(*this);
  if (verb == "check") return check(*this);
  if (verb == "export") return export_samples(*this);
  if (verb == "setup") return setup(*this);
  throw UsageError("store: say add, list, show, remove, roll-up, check, export or setup; --help shows their forms");
}

}  // namespace

extern const Command store_command{
    .name = "store",
    .summary = "keep recordings of many hosts in one place",
    .usage =
        "Usage: perfsift store add [OPTIONS] URL [FILE|DIRECTORY...]\n"
        "       perfsift store list [--json] URL\n"
        "       perfsift store show [--json] URL\n"
        "       perfsift store remove [--all | --older-than AGE] URL\n"
        "       perfsift store roll-up [--older-than AGE] [--to TIME] URL\n"
        "       perfsift store check [--repair] URL\n"
        "       perfsift store export [-o FILE] URL\n"
        "       perfsift store setup\n\n"
        "Keeps recordings and profiles of many hosts. A URL is chdb:DIR or clickhouse://HOST/DATABASE,\n"
        "with labels to choose recordings: chdb:DIR?service=shop&host=a. Commands that read profiles\n"
        "read it, too.\n",
    .positional = ReadingOptions::positional,
    .start = start<StoreCommand>,
};

}  // namespace perfsift::tools
