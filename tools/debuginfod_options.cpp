#include "tools/debuginfod_options.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "analysis/collect/binary_counts.h"
#include "base/error.h"
#include "base/number_in.h"
#include "base/printable.h"
#include "tools/diagnostics.h"
#include "tools/input_profile.h"
#include "tools/reading_options.h"
#include "tools/terminal.h"

namespace perfsift::tools {

using symbolize::DebuginfodClient;
using symbolize::DebuginfodFile;

namespace {

constexpr double least_share = 0.01;  // of the samples of a recording

// The number at the start of `text`, and what follows it.
std::pair<std::uint64_t, std::string_view> split_number(std::string_view text, const char* expected) {
  const auto number = take_number<std::uint64_t>(text);
  if (!number) throw options::po::error(fmt::format("{}: {}", text, expected));
  return {*number, text};
}

std::uint64_t times(std::uint64_t number, std::uint64_t unit, std::string_view text) {
  if (number > std::numeric_limits<std::int64_t>::max() / unit)
    throw options::po::error(fmt::format("{}: too large", text));
  return number * unit;
}

// A program or library that many samples lie in.
struct Wanted {
  std::string path;
  symbolize::MissingFiles missing;
  double share = 0;
};

// Opens what can be read twice: a recording that is a file.
std::unique_ptr<reader::Recording> open_file(const std::string& path, Progress& progress) {
  std::error_code none;
  if (std::filesystem::is_directory(path, none)) return reader::Recording::open(path, open_options(path, progress));
  if (!std::filesystem::is_regular_file(path, none)) return nullptr;
  reader::InputFile input = reader::open_input(path);
  if (kind_of(input) != analysis::InputKind::recording) return nullptr;
  auto recording = reader::Recording::open(std::move(input), open_options(path, progress));
  return recording->streamed() ? nullptr : std::move(recording);
}

// The files that are missing for recordings. The recordings are looked at before they are read.
class MissingFiles {
 public:
  MissingFiles(const std::vector<std::string>& paths, unsigned threads, const symbolize::SymbolizeOptions& naming,
               Progress& progress)
      : naming_(naming) {
    for (const std::string& path : paths) {
      try {
        const auto recording = open_file(path, progress);
        if (recording)
          add(*recording, threads);
        else
          not_looked_at_.push_back(path);
      } catch (const InputError&) {  // the command that reads the input reports the error
      }
    }
  }

  // The largest shares first.
  std::vector<Wanted> wanted() const {
    std::vector<Wanted> all;
    for (const auto& [id, wanted] : by_id_) all.push_back(wanted);
    std::ranges::stable_sort(all, std::greater(), &Wanted::share);
    return all;
  }
  const std::vector<std::string>& not_looked_at() const { return not_looked_at_; }

 private:
  void add(reader::Recording& recording, unsigned threads) {
    symbolize::Symbolizer symbolizer(naming_);  // from the files that are here already
    const analysis::BinaryCounts counts = analysis::count_binaries(recording, {.symbolizer = &symbolizer}, threads);
    for (std::size_t i = 0; i < counts.with_frame_in.size(); ++i) {
      const double share = static_cast<double>(counts.with_frame_in[i]) / static_cast<double>(counts.samples);
      if (counts.with_frame_in[i] != 0 && share >= least_share) add(recording.timeline().binaries()[i], share);
    }
  }

  void add(const Binary& binary, double share) {
    const symbolize::MissingFiles missing = missing_files(binary, naming_);
    if (!missing.any()) return;
    Wanted& wanted = by_id_.try_emplace(missing.id, Wanted{binary.path, missing}).first->second;
    wanted.share = std::max(wanted.share, share);
  }

  const symbolize::SymbolizeOptions& naming_;
  std::map<BuildId, Wanted> by_id_;
  std::vector<std::string> not_looked_at_;
};

class Download {
 public:
  Download(DebuginfodClient& client, std::multimap<BuildId, std::string>& fetched, Progress& progress)
      : client_(client), fetched_(fetched), progress_(progress) {}

  // The debug info alone does not say where its functions were mapped.
  void fetch(const Wanted& wanted) {
    if (wanted.missing.executable && !fetch(wanted, DebuginfodFile::executable, "the file")) return;
    if (wanted.missing.debug_info) fetch(wanted, DebuginfodFile::debug_info, "debug info");
  }
  const std::vector<std::string>& failures() const { return failures_; }

 private:
  bool fetch(const Wanted& wanted, DebuginfodFile file, const char* what) {
    const auto show = [&](std::uint64_t received, std::uint64_t total) {
      progress_.show([&] {
        return fmt::format("fetching {} of {}: {} of {} MiB", what, wanted.path, received >> 20, total >> 20);
      });
    };
    const auto answer = client_.find(wanted.missing.id, file, show);
    if (answer.path.empty())
      failures_.push_back(fmt::format("{} of {}: {}", what, wanted.path, answer.why));
    else
      fetched_.emplace(wanted.missing.id, answer.path);
    return !answer.path.empty();
  }

  DebuginfodClient& client_;
  std::multimap<BuildId, std::string>& fetched_;
  Progress& progress_;
  std::vector<std::string> failures_;
};

}  // namespace

std::uint64_t parse_bytes(std::string_view text) {
  const auto [number, unit] = split_number(text, "not a size such as 500M");
  if (unit.empty()) return number;
  if (unit == "k" || unit == "K") return times(number, std::uint64_t{1} << 10, text);
  if (unit == "M") return times(number, std::uint64_t{1} << 20, text);
  if (unit == "G") return times(number, std::uint64_t{1} << 30, text);
  throw options::po::error(fmt::format("{}: not a size such as 500M", text));
}

std::chrono::milliseconds parse_time(std::string_view text) {
  const auto [number, unit] = split_number(text, "not a time such as 30s");
  const std::uint64_t count = number;  // clang 14 captures no structured binding
  const auto of = [&](std::uint64_t milliseconds) {
    constexpr std::uint64_t longest = std::uint64_t{1'000'000'000} * 1000;  // can still be added to any time
    const std::uint64_t all = times(count, milliseconds, text);
    return std::chrono::milliseconds(std::min(all, longest));
  };
  if (unit.empty() || unit == "s") return of(1000);
  if (unit == "ms") return of(1);
  if (unit == "m") return of(60'000);
  throw options::po::error(fmt::format("{}: not a time such as 30s", text));
}

namespace {

template <typename Value>
Value of_option(const char* option, const std::string& text, Value (*parse)(std::string_view)) {
  try {
    return parse(text);
  } catch (const options::po::error& error) {
    throw UsageError(printable(fmt::format("{} {}", option, error.what())));
  }
}

}  // namespace

void DebuginfodOptions::add_to(options::po::options_description& options) {
  options.add_options()("debuginfod", options::po::bool_switch(&wanted_),
                        "fetch missing debug files of binaries with at least 1 % of the samples")(
      "debuginfod-max-bytes",
      options::po::value<std::string>()->value_name("SIZE")->notifier(
          [this](const std::string& text) { budget_.bytes = of_option("--debuginfod-max-bytes", text, parse_bytes); }),
      "the limit of all downloads together, such as 2G (500M)")(
      "debuginfod-max-time",
      options::po::value<std::string>()->value_name("TIME")->notifier(
          [this](const std::string& text) { budget_.time = of_option("--debuginfod-max-time", text, parse_time); }),
      "the time limit of all downloads together, such as 2m (30s)");
}

symbolize::SymbolizeOptions DebuginfodOptions::with_fetched(symbolize::SymbolizeOptions naming,
                                                            const std::vector<std::string>& recordings,
                                                            unsigned threads, bool quiet) const {
  if (!wanted_) return naming;
  DebuginfodClient client(budget_);
  Progress progress(quiet);
  const MissingFiles missing(recordings, threads, naming, progress);
  Download download(client, naming.fetched, progress);
  for (const Wanted& wanted : missing.wanted()) download.fetch(wanted);
  progress.end();

  Diagnostics diagnostics(quiet);
  for (const std::string& path : missing.not_looked_at()) {
    diagnostics.warning(path, "--debuginfod works only for recordings in files");
  }
  for (const std::string& failure : download.failures()) diagnostics.warning("debuginfod", failure);
  return naming;
}

}  // namespace perfsift::tools
