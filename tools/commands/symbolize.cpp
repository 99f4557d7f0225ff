// perfsift symbolize: the functions and source lines of addresses, as addr2line prints them.

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <unistd.h>

#include "analysis/input/line_splitter.h"
#include "base/error.h"
#include "base/number_in.h"
#include "base/share_work.h"
#include "output/files/ordered_pieces.h"
#include "output/symbolize/address_text.h"
#include "symbolize/program_names.h"
#include "tools/command.h"
#include "tools/diagnostics.h"
#include "tools/reading_options.h"

namespace perfsift::tools {
namespace {

// The options of the command line.
struct SymbolizeCommand : CommandRun {
  std::string file;
  std::string section;
  std::vector<std::string> addresses;
  std::vector<std::string> debug_dirs;
  CacheOption cache;
  JobsOption jobs;
  output::AddressTextOptions text;
  bool quiet = false;

  void add_to(options::po::options_description& options) override;
  int run(const options::Arguments& words) override;

 private:
  symbolize::SymbolizeOptions symbolize_options() const;
  void check_files() const;
};

void SymbolizeCommand::add_to(options::po::options_description& options) {
  auto add = options.add_options();
  add("exe,e", options::po::value(&file)->value_name("FILE"), "the program, library, object or debug file");
  add("functions,f", options::po::bool_switch(&text.functions), "print functions with lines");
  add("inlines,i", options::po::bool_switch(&text.inlines), "print the callers of inlined calls, too");
  add("demangle,C", options::po::bool_switch(&text.demangle), "demangle names of C++, Rust and OCaml functions");
  add("addresses,a", options::po::bool_switch(&text.addresses), "print the address first");
  add("pretty-print,p", options::po::bool_switch(&text.pretty), "print function and place on one line");
  add("basenames,s", options::po::bool_switch(&text.base_names), "print files without folders");
  add("section,j", options::po::value(&section)->value_name("NAME"), "addresses are offsets in this section");
  add("json", options::po::bool_switch(&text.json), "print a JSON object per address, with all frames");
  add("debug-dir", options::po::value(&debug_dirs)->value_name("DIR")->composing(),
      "look for separate debug files here (/usr/lib/debug); may be repeated");
  cache.add_to(options);
  jobs.add_to(options, "jobs");
  add("address", options::po::value(&addresses)->value_name("ADDRESS")->composing(),
      "an address; the option may be left out");
  add("quiet,q", options::po::bool_switch(&quiet), "no warnings");
}

symbolize::SymbolizeOptions SymbolizeCommand::symbolize_options() const {
  symbolize::SymbolizeOptions options;
  for (const std::string& folder : debug_dirs) check_folder("--debug-dir", folder);
  if (!debug_dirs.empty()) options.debug_dirs = debug_dirs;
  options.cache = cache.cache();
  return options;
}

// Standard output may be appended to an input.
void SymbolizeCommand::check_files() const {
  output::RunFiles files;
  files.reads(file);
  if (addresses.empty()) files.reads("-");
  files.writes(output::OutputFile::standard_output);
}

// Hexadecimal, with or without 0x.
std::optional<std::uint64_t> parse_address(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  return number_in<std::uint64_t>(text, 16);
}

// The state of one thread.
class Worker {
 public:
  Worker(const symbolize::ProgramNames& names, std::uint64_t base, const output::AddressTextOptions& options)
      : names_(names), base_(base), text_(options) {}

  void append(std::span<const std::uint64_t> addresses, output::Text& to) {
    for (const std::uint64_t address : addresses) {
      frames_.clear();
      names_.append_frames(base_ + address, frames_);
      text_.append(address, frames_, answers_);
    }
    to.append(answers_.view());
    answers_.clear();
  }

 private:
  const symbolize::ProgramNames& names_;
  const std::uint64_t base_;
  output::AddressText text_;
  std::vector<symbolize::SourceFrame> frames_;
  output::TextWriter answers_;
};

// Answers addresses, in their order. Threads share a large piece of the addresses.
class Answers {
 public:
  Answers(const symbolize::ProgramNames& names, std::uint64_t base, const output::AddressTextOptions& options,
          unsigned threads) {
    while (workers_.size() < threads) workers_.emplace_back(names, base, options);
  }

  void add(std::uint64_t address) { waiting_.push_back(address); }

  // Writes the answers to the addresses added since the last call.
  void write() {
    output::OrderedPieces pieces(output_);
    const std::size_t count = (waiting_.size() + piece_size - 1) / piece_size;
    const auto threads = static_cast<unsigned>(std::clamp<std::size_t>(count, 1, workers_.size()));
    share_work(threads, count, [&](unsigned worker, Tasks& tasks) noexcept {
      while (const auto piece = tasks.next()) {
        output::Text text = pieces.empty();
        workers_[worker].append(addresses_of(*piece), text);
        pieces.add(*piece, std::move(text));
      }
    });
    pieces.finish();
    waiting_.clear();
  }

 private:
  // The text of so many answers stays in the processor's cache.
  static constexpr std::size_t piece_size = 64;

  std::span<const std::uint64_t> addresses_of(std::size_t piece) const {
    const auto rest = std::span(waiting_).subspan(piece * piece_size);
    return rest.first(std::min(piece_size, rest.size()));
  }

  std::deque<Worker> workers_;
  std::vector<std::uint64_t> waiting_;
  output::OutputFile output_{output::OutputFile::standard_output};
};

void answer_arguments(const std::vector<std::string>& arguments, Answers& answers) {
  for (const std::string& argument : arguments) {
    const auto address = parse_address(argument);
    if (!address) throw UsageError("'" + argument + "': not an address; they are hexadecimal");
    answers.add(*address);
  }
  answers.write();
}

// Answers all addresses that have arrived before waiting for more, so that a program may ask through a pipe. A line
// without an address gets an answer too: the other program waits for one.
void answer_standard_input(Answers& answers, Diagnostics& diagnostics) {
  std::uint64_t lines = 0, no_addresses = 0;
  analysis::LineSplitter splitter([&](std::string_view line) {
    ++lines;
    if (line.ends_with('\r')) line.remove_suffix(1);
    const auto address = parse_address(line);
    if (!address && ++no_addresses == 1)
      diagnostics.warning("standard input", fmt::format("line {}: '{}' is not an address", lines, line));
    answers.add(address.value_or(0));
  });
  std::array<char, 64 << 10> chunk;
  for (ssize_t size = 0; (size = read(STDIN_FILENO, chunk.data(), chunk.size())) > 0;) {
    splitter.feed({chunk.data(), static_cast<std::size_t>(size)});
    answers.write();
  }
  splitter.finish();
  answers.write();
  if (no_addresses > 1)
    diagnostics.warning("standard input", fmt::format("{} lines of {} are not addresses", no_addresses, lines));
}

int SymbolizeCommand::run(const options::Arguments&) {
  if (file.empty()) throw UsageError("which file? -e FILE names it");
  check_files();
  Diagnostics diagnostics(quiet);
  const symbolize::ProgramNames names(file, symbolize_options());
  Answers answers(names, section.empty() ? 0 : names.section_address(section), text, jobs.threads());
  if (!addresses.empty())
    answer_arguments(addresses, answers);
  else
    answer_standard_input(answers, diagnostics);
  return diagnostics.status();
}

}  // namespace

extern const Command symbolize_command{
    .name = "symbolize",
    .summary = "print functions and lines of addresses, like addr2line",
    .usage =
        "Usage: perfsift symbolize -e FILE [OPTIONS] [ADDRESS...]\n\nPrints functions and source lines of "
        "hexadecimal addresses, which are read from standard input if none are given.\n",
    .positional = "address",
    .start = start<SymbolizeCommand>,
};

}  // namespace perfsift::tools
