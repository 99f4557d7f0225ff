#include "record/target.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include "base/error.h"

namespace perfsift::record {

namespace {

namespace fs = std::filesystem;

// The largest number of CPUs of a list: far more than CONFIG_NR_CPUS allows.
constexpr unsigned most_cpus = 1u << 16;

std::optional<std::uint32_t> number(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size() && !text.empty();
  return whole ? std::optional(value) : std::nullopt;
}

bool add_range(std::string_view range, std::vector<unsigned>& cpus) {
  const std::size_t dash = range.find('-');
  const auto first = number(range.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : number(range.substr(dash + 1));
  if (!first || !last || *first > *last || *last >= most_cpus) return false;
  for (unsigned cpu = *first; cpu <= *last; ++cpu) cpus.push_back(cpu);
  return true;
}

// The entries of a folder whose names are numbers. A process may end while its folder is read.
std::vector<std::int32_t> numbered_entries(const fs::path& folder) {
  std::vector<std::int32_t> numbers;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (const auto id = number(entry->path().filename().string())) numbers.push_back(static_cast<std::int32_t>(*id));
  }
  return numbers;
}

std::vector<std::int32_t> threads_of(std::int32_t process, const SystemFolders& folders) {
  return numbered_entries(fmt::format("{}/{}/task", folders.proc, process));
}

// thread_map__new_by_uid() in tools/perf/util/thread_map.c: the owner of the folder is the effective user.
bool belongs_to(std::int32_t process, std::uint32_t user, const SystemFolders& folders) {
  struct stat status {};
  return stat(fmt::format("{}/{}", folders.proc, process).c_str(), &status) == 0 && status.st_uid == user;
}

void add(std::vector<std::int32_t>& all, const std::vector<std::int32_t>& some) {
  all.insert(all.end(), some.begin(), some.end());
}

void add_threads_of_user(std::vector<std::int32_t>& tids, std::uint32_t user, const SystemFolders& folders) {
  for (const std::int32_t process : numbered_entries(folders.proc)) {
    if (belongs_to(process, user, folders)) add(tids, threads_of(process, folders));
  }
  if (tids.empty()) throw UsageError(fmt::format("user {} has no process", user));
}

std::vector<std::int32_t> threads_of(const Target& target, std::optional<std::int32_t> command,
                                     const SystemFolders& folders) {
  if (target.on_cpus()) return {-1};
  std::vector<std::int32_t> tids = target.threads;
  for (const std::int32_t process : target.processes) {
    const std::vector<std::int32_t> threads = threads_of(process, folders);
    if (threads.empty()) throw UsageError(fmt::format("process {} does not exist", process));
    add(tids, threads);
  }
  if (target.user) add_threads_of_user(tids, *target.user, folders);
  if (command && !target.names_threads()) tids.push_back(*command);
  std::ranges::sort(tids);
  tids.erase(std::unique(tids.begin(), tids.end()), tids.end());
  return tids;
}

std::vector<std::int32_t> cpus_of(const Target& target, const SystemFolders& folders) {
  if (target.per_thread && !target.on_cpus()) return {-1};
  const std::vector<unsigned> online = online_cpus(folders);
  std::vector<unsigned> wanted = target.cpus.empty() ? online : target.cpus;
  std::ranges::sort(wanted);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  for (const unsigned cpu : wanted) {
    if (std::ranges::find(online, cpu) != online.end()) continue;
    throw UsageError(fmt::format("CPU {} is not online; these CPUs are: {}", cpu, fmt::join(online, ",")));
  }
  return {wanted.begin(), wanted.end()};
}

}  // namespace

std::optional<std::vector<unsigned>> parse_cpu_list(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  std::vector<unsigned> cpus;
  while (true) {
    const std::size_t comma = text.find(',');
    if (!add_range(text.substr(0, comma), cpus)) return std::nullopt;
    if (comma == std::string_view::npos) return cpus;
    text.remove_prefix(comma + 1);
  }
}

std::vector<unsigned> online_cpus(const SystemFolders& folders) {
  const std::string path = folders.sysfs + "/devices/system/cpu/online";
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  auto cpus = parse_cpu_list(line);
  if (!cpus) throw Error(fmt::format("{}: does not say which CPUs are online", path));
  return *cpus;
}

std::vector<Place> places_of(const Target& target, std::optional<std::int32_t> command, const SystemFolders& folders) {
  std::vector<Place> places;
  const std::vector<std::int32_t> tids = threads_of(target, command, folders);
  for (const std::int32_t cpu : cpus_of(target, folders)) {
    for (const std::int32_t tid : tids) places.push_back({tid, cpu});
  }
  return places;
}

}  // namespace perfsift::record
