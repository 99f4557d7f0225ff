// perfsift pack: a recording with the files that its addresses need, for other machines.

#include <iostream>

#include <fmt/format.h>
#include <unistd.h>

#include "analysis/rewrite/unwound_samples.h"
#include "analysis/survey/all_addresses.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/size_text.h"
#include "output/packed/names_only.h"
#include "output/packed/packed_recording.h"
#include "output/recording/recording_sink.h"
#include "tools/command.h"
#include "tools/recording/recording_run.h"

namespace perfsift::tools {
namespace {

struct PackCommand : CommandRun {
  RecordingOptions recordings;
  std::string output;

  void add_to(options::po::options_description& description) override;
  int run(const options::Arguments& words) override;

 private:
  bool names_only_ = false;

  void choose_output(const std::string& input);
  void say_what_was_packed(const output::PackPlan& plan, std::uint64_t written) const;
};

void PackCommand::add_to(options::po::options_description& description) {
  auto add = description.add_options();
  add("output,o", options::po::value(&output)->value_name("FILE"),
      "where to write, or - for standard output (INPUT.tar.zst)");
  add("names-only", options::po::bool_switch(&names_only_),
      "pack the names of addresses instead of binaries, and callchains instead of copies of stacks");
  recordings.inputs.add_to(description);
  recordings.naming.add_to(description);
  recordings.debuginfod.add_to(description);
  recordings.jobs.add_to(description);
}

void PackCommand::choose_output(const std::string& input) {
  if (output.empty() && input == "-") throw UsageError("-o FILE: a name for the packed recording is missing");
  std::string_view name = input;
  while (name.size() > 1 && name.ends_with('/')) name.remove_suffix(1);
  if (output.empty()) output = fmt::format("{}.tar.zst", name);
  if (output::OutputFile::is_standard_output(output) && isatty(STDOUT_FILENO) == 1)
    throw UsageError("a packed recording is not for terminals; write it to a file with -o FILE, or to a pipe");
}

// The recording, and the files that its addresses need, some of which are missing.
output::PackedContent content_of(reader::Recording& recording, symbolize::SymbolizeOptions naming, bool names_only,
                                 unsigned threads) {
  naming.cache = nullptr;  // tables of earlier runs would answer instead of the files
  naming.used = std::make_shared<symbolize::UsedFiles>();
  naming.note_addresses = names_only;
  symbolize::Symbolizer symbolizer(naming);
  analysis::name_all_addresses(recording, symbolizer, names_only, threads);
  output::PackedContent content{.recording = recording.files(), .used = {}, .symfs = naming.symfs};
  if (!names_only) {
    content.used = naming.used->take();
    return content;
  }
  analysis::UnwoundSamples unwound(recording, symbolizer, threads);
  if (unwound.any()) content.recording = {output::with_unwound_samples(recording, unwound)};
  content.used = output::names_instead_of_binaries(naming.used->take(), symbolizer.packed_names());
  return content;
}

void warn_of_missing(const output::PackPlan& plan, Diagnostics& diagnostics) {
  for (const reader::ManifestMissing& missing : plan.manifest.missing)
    diagnostics.warning(missing.path, "not packed: " + missing.why);
}

// "perf.data.tar.zst: 1M, with the recording (3M) and 14 files (9M)"
void PackCommand::say_what_was_packed(const output::PackPlan& plan, std::uint64_t written) const {
  if (recordings.inputs.quiet) return;
  const std::size_t files = plan.manifest.files.size(), missing = plan.manifest.missing.size();
  std::ostream& out = output::OutputFile::is_standard_output(output) ? std::cerr : std::cout;
  out << fmt::format("{}: {}, with the recording ({}) and {} file{} of its programs ({})", printable(output),
                     size_text(written), size_text(plan.recording_size()), files, files == 1 ? "" : "s",
                     size_text(plan.files_size()));
  if (missing != 0) out << fmt::format("; {} missing", missing);
  out << '\n';
}

int PackCommand::run(const options::Arguments&) {
  const std::string input = recordings.inputs.single_path();
  choose_output(input);
  RecordingRun run(recordings, {input});
  run.check_output(output);
  reader::OpenOptions opening = run.opening(input);
  opening.store_stream = true;
  const auto recording = run.open(input, opening);

  const output::PackedContent content = content_of(*recording, run.symbolize_options(), names_only_, run.threads());
  const output::PackPlan plan = output::plan_pack(content);
  std::uint64_t written = 0;
  run.end_progress();
  const auto mode = output::mode_of_recording_from(input);
  {
    output::OutputFile file(output, mode);
    written = output::write_packed(plan, file);
    file.commit();
  }
  run.report(input, *recording);
  warn_of_missing(plan, run.diagnostics());
  say_what_was_packed(plan, written);
  return run.conclude();
}

}  // namespace

extern const Command pack_command{
    .name = "pack",
    .summary = "put a recording and its binaries into one file, for other machines",
    .usage =
        "Usage: perfsift pack [OPTIONS] [INPUT] [-o FILE]\n\nWrites the recording, and the parts of programs, "
        "libraries "
        "and debug files that its\naddresses need, into one file that every command reads on any machine.\n",
    .positional = ReadingOptions::positional,
    .start = start<PackCommand>,
};

}  // namespace perfsift::tools
