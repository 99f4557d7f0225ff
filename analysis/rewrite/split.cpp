#include "analysis/rewrite/split.h"

#include <algorithm>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include "analysis/samples/event_selection.h"
#include "base/duration.h"
#include "base/error.h"

namespace perfsift::analysis {
namespace {

using By = SplitRule::By;

[[noreturn]] void refuse(const std::string& text) {
  throw UsageError("--split " + text +
                   ": there are by=pid, by=comm, by=event, by=cgroup and by=time:INTERVAL, such as 500ms or 1s");
}

// NAME_MAX of Linux, minus the suffix that OutputFile appends while writing.
constexpr std::size_t longest_file_name = 255 - std::string_view(".XXXXXX").size();

// FNV-1a, which gives the same hash on all machines and in all versions.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

// At most `room` characters, but at least the hash of `whole`, which distinguishes names with the same start.
std::string shortened(std::string name, std::string_view whole, std::size_t room) {
  const std::string hash = fmt::format("-{:016x}", hash_of(whole));
  name.resize(std::min(name.size(), room - std::min(room, hash.size())));
  return name + hash;
}

constexpr TimeUnit units[] = {{"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}, {"m", 60'000'000'000}};

}  // namespace

SplitRule SplitRule::parse(const std::string& text) {
  if (text == "by=pid") return {.by = By::pid};
  if (text == "by=comm") return {.by = By::comm};
  if (text == "by=event") return {.by = By::event};
  if (text == "by=cgroup") return {.by = By::cgroup};
  constexpr std::string_view time = "by=time:";
  if (!text.starts_with(time)) refuse(text);
  const auto interval = parse_duration(std::string_view(text).substr(time.size()), units);
  if (interval.value_or(0) == 0) refuse(text);
  return {.by = By::time, .interval = *interval};
}

// Intervals are counted from the first sample of the recording, so the parts do not depend on the filter.
std::uint64_t Splitter::interval_of(const reader::Sample& sample) const {
  const std::uint64_t first = recording_.stats().first_sample_time;
  return sample.time != reader::no_time && sample.time >= first ? (sample.time - first) / rule_.interval : 0;
}

std::uint64_t Splitter::number_of(const reader::Sample& sample) const {
  switch (rule_.by) {
    case By::pid:
      return static_cast<std::uint32_t>(sample.pid);
    case By::comm: {
      const auto state = recording_.timeline().thread(sample.pid, sample.tid, sample.moment);
      // Threads without a name are named by their tid.
      return state.comm != 0 ? state.comm : std::uint64_t{1} << 32 | static_cast<std::uint32_t>(sample.tid);
    }
    case By::event:
      return sample.event->index;
    case By::cgroup:
      return sample.cgroup;  // 0, which is no valid id, where not recorded
    case By::time:
      return interval_of(sample);
    case By::nothing:
      break;
  }
  return 0;
}

std::string Splitter::name_of(const reader::Sample& sample) const {
  switch (rule_.by) {
    case By::pid:
      return fmt::format("{}", sample.pid);
    case By::comm:
      return recording_.timeline().comm(sample.tid,
                                        recording_.timeline().thread(sample.pid, sample.tid, sample.moment));
    case By::event:
      return metric_name(sample.event->name);
    case By::cgroup: {
      const std::string_view path = recording_.timeline().cgroup(sample.cgroup);
      return std::string(path.empty() ? "unknown" : path);  // perf script's word
    }
    case By::time:
      return fmt::format("{:06}", interval_of(sample));
    case By::nothing:
      break;
  }
  return {};
}

filter::TimeRanges Splitter::times_of(const reader::Sample& sample) const {
  if (rule_.by != By::time) return filter::all_time();
  const std::uint64_t number = interval_of(sample);
  const std::uint64_t from = recording_.stats().first_sample_time + number * rule_.interval;
  constexpr std::uint64_t latest = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t until = rule_.interval - 1 < latest - from ? from + rule_.interval - 1 : latest;
  return {{.from = number != 0 ? from : 0, .until = until}};
}

std::string path_of_part(const std::string& path, const std::string& part) {
  std::string name = part;
  const auto may_stay = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '+' || c == '.'; };
  std::ranges::replace_if(
      name, [&](char c) { return !may_stay(static_cast<unsigned char>(c)); }, '_');
  std::filesystem::path result(path);
  const std::string extension = result.extension();
  result.replace_extension();
  const std::size_t others = result.filename().string().size() + 1 + extension.size();
  const std::size_t room = longest_file_name - std::min(longest_file_name, others);
  if (name.size() > room) name = shortened(std::move(name), part, room);
  return result.string() + '.' + name + extension;
}

}  // namespace perfsift::analysis
