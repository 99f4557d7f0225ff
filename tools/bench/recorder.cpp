#include "tools/bench/recorder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "base/error.h"

namespace perfsift::tools {
namespace {

// The kernel's setting for users without privileges; nothing where there is none.
std::optional<int> paranoia() {
  std::ifstream setting("/proc/sys/kernel/perf_event_paranoid");
  int level = 0;
  return setting >> level ? std::optional(level) : std::nullopt;
}

// Debian and Ubuntu have a level that forbids everything; at levels below, users may measure their own programs.
std::string advice_on_permission() {
  constexpr int own_programs = 2;
  const auto level = paranoia();
  if (geteuid() == 0 || !level || *level <= own_programs) return {};
  return fmt::format("; kernel.perf_event_paranoid is {}: `sudo sysctl kernel.perf_event_paranoid={}` allows it",
                     *level, own_programs);
}

constexpr const char* not_installed =
    "perf was not found: install linux-perf (Debian), linux-tools-generic (Ubuntu) or perf (Fedora, Arch)";

}  // namespace

ProgramEnd Recorder::run(const std::vector<std::string>& command, const std::string& file) const {
  // -N: the cache of build ids in the home folder stays as it is.
  std::vector<std::string> words{"perf", "record", "-q", "-N", "-o", file};
  if (!settings_.event.empty()) words.insert(words.end(), {"-e", settings_.event});
  if (settings_.frequency) words.insert(words.end(), {"-F", std::to_string(*settings_.frequency)});
  if (settings_.call_graph != "none") words.insert(words.end(), {"--call-graph", settings_.call_graph});
  words.emplace_back("--");
  words.insert(words.end(), command.begin(), command.end());
  return watch_.run({.words = words, .errors = folder_.file("errors"), .show_output = settings_.show_output});
}

// The end of what perf and the command printed on standard error.
std::string Recorder::last_words() const {
  constexpr std::size_t most = 500;
  std::ifstream in(folder_.file("errors"));
  std::string text{std::istreambuf_iterator<char>(in), {}};
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::ranges::replace(text, '\n', ' ');
  if (text.size() > most) text = "..." + text.substr(text.size() - most);
  return text;
}

void Recorder::check() const {
  const std::string file = folder_.file("perf.data");
  const ProgramEnd end = run({"true"}, file);
  if (!end.found) throw Error(not_installed);
  std::error_code none;
  if (end.status == 0 && std::filesystem::file_size(file, none) > 0 && !none) return;
  throw Error(
      fmt::format("perf cannot record here (exit status {}){}: {}", end.status, advice_on_permission(), last_words()));
}

void Recorder::prepare(const std::string& command) const {
  const ProgramEnd end = watch_.run({.words = {"/bin/sh", "-c", command}, .errors = folder_.file("errors")});
  if (end.status != 0)
    throw Error(fmt::format("--prepare '{}' ended with exit status {}: {}", command, end.status, last_words()));
}

void Recorder::record(const std::vector<std::string>& command, const std::string& file, const std::string& what) const {
  const ProgramEnd end = run(command, file);
  if (!end.found) throw Error(not_installed);
  if (end.status == 0 || (settings_.ignore_failure && std::filesystem::exists(file))) return;
  const std::string said = last_words();
  throw Error(fmt::format("'{}' ended with exit status {} ({}){}{}; --ignore-failure accepts any",
                          fmt::join(command, " "), end.status, what, said.empty() ? "" : ": ", said));
}

}  // namespace perfsift::tools
