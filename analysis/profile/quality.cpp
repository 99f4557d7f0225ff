#include "analysis/profile/quality.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/printable.h"

namespace perfsift::analysis {

using symbolize::Missing;

namespace {

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

struct Share {
  std::string_view of;  // "samples lost"
  std::uint64_t part = 0;
  std::uint64_t whole = 0;
  double percent = 0;
};

void check_share(const Share& share, std::string_view option, std::optional<double> limit,
                 std::vector<std::string>& messages) {
  if (!limit || share.percent <= *limit) return;
  messages.push_back(fmt::format("{:.4g} % of the {} ({} of {}), more than {} {} allows", share.percent, share.of,
                                 share.part, share.whole, option, *limit));
}

// The places with one reason.
template <typename Reason>
struct ReasonGroup {
  Reason reason{};
  std::uint64_t count = 0;
  std::vector<std::pair<std::string_view, std::uint64_t>> binaries;  // with their counts
};

// The groups and their binaries, with the highest count first.
template <typename Place>
auto by_reason(const std::map<Place, std::uint64_t>& places) {
  using Reason = decltype(Place::reason);
  std::map<Reason, ReasonGroup<Reason>> groups;
  for (const auto& [place, count] : places) {
    ReasonGroup<Reason>& group = groups[place.reason];
    group.reason = place.reason;
    group.count += count;
    group.binaries.emplace_back(place.binary, count);
  }
  std::vector<ReasonGroup<Reason>> sorted;
  for (auto& [reason, group] : groups) {
    std::ranges::stable_sort(group.binaries, std::greater(), [](const auto& binary) { return binary.second; });
    sorted.push_back(std::move(group));
  }
  std::ranges::stable_sort(sorted, std::greater(), &ReasonGroup<Reason>::count);
  return sorted;
}

std::string_view advice_about(Missing reason, std::string_view binary) { return symbolize::advice(reason, binary); }
std::string_view advice_about(StackTail tail, std::string_view) { return advice(tail); }

// The advice for the binaries in their order, without repetitions.
template <typename Reason>
std::vector<std::string_view> advice_about(const ReasonGroup<Reason>& group) {
  std::vector<std::string_view> all;
  for (const auto& [binary, count] : group.binaries) {
    const std::string_view advice = advice_about(group.reason, binary);
    if (std::ranges::find(all, advice) == all.end()) all.push_back(advice);
  }
  return all;
}

// the file is not on this machine: 1200 frames, 4.1 %
//         1100  /opt/app/server
//          100  /opt/app/libjpeg.so
//   -> run `perfsift pack` …
template <typename Place>
std::string table_of(const std::map<Place, std::uint64_t>& places, std::string_view unit, std::uint64_t whole) {
  std::string text;
  for (const auto& group : by_reason(places)) {
    text += fmt::format("{}: {} {}{}, {:.3g} %\n", describe(group.reason), group.count, unit,
                        group.count == 1 ? "" : "s", percent(group.count, whole));
    for (const auto& [binary, count] : group.binaries) text += fmt::format("{:>12}  {}\n", count, printable(binary));
    for (const std::string_view advice : advice_about(group)) text += fmt::format("  -> {}\n", advice);
  }
  return text;
}

// the leaf's caller may be missing: 101 stacks, 100 %
//          101  memcpy
//   -> record with …
std::string lost_callers_table(const Quality& quality) {
  constexpr std::size_t most_functions = 10;
  const std::uint64_t stacks = quality.stacks_without_a_caller();
  if (stacks == 0) return {};
  std::vector<std::pair<std::string_view, std::uint64_t>> functions(quality.lost_callers.begin(),
                                                                    quality.lost_callers.end());
  std::ranges::stable_sort(functions, std::greater(), &std::pair<std::string_view, std::uint64_t>::second);
  std::string text = fmt::format("the leaf's caller may be missing: {}, {:.3g} %\n", counted(stacks, "stack"),
                                 percent(stacks, quality.callchains));
  const std::size_t shown = std::min(functions.size(), most_functions);
  for (const auto& [function, count] : std::span(functions).first(shown))
    text += fmt::format("{:>12}  {}\n", count, printable(function));
  if (shown < functions.size()) text += fmt::format("{:>14}and {} more functions\n", "", functions.size() - shown);
  return text +
         "  -> these functions set up no frame: record with --call-graph dwarf. Clang keeps frames with "
         "-fno-omit-frame-pointer -mno-omit-leaf-frame-pointer; GCC does not in functions without data on the stack\n";
}

template <typename Key>
std::uint64_t sum_of(const std::map<Key, std::uint64_t>& counts) {
  std::uint64_t total = 0;
  for (const auto& [key, count] : counts) total += count;
  return total;
}

}  // namespace

void Quality::add_recorded(const reader::ReadStats& stats) {
  for (const auto& [type, count] : stats.records) {
    if (static_cast<std::uint32_t>(type) < reader::first_user_record) kernel_records += count;
    if (type == reader::RecordType::sample) sample_records += count;
  }
  lost_records += stats.losses.lost_records;
  lost_samples += stats.losses.lost_samples;
  told_twice += stats.losses.told_twice();
  for (const reader::ThrottleWindow& window : stats.throttled) {
    ++throttled;
    if (window.until == reader::no_time) {
      ++throttled_without_end;
    } else {
      throttled_time += window.until - std::min(window.from, window.until);
    }
  }
  read_bytes += stats.bytes;
  skipped_bytes += stats.skipped_bytes;
}

void Quality::add(const Quality& other) {
  kernel_records += other.kernel_records;
  lost_records += other.lost_records;
  sample_records += other.sample_records;
  lost_samples += other.lost_samples;
  told_twice += other.told_twice;
  throttled += other.throttled;
  throttled_time += other.throttled_time;
  throttled_without_end += other.throttled_without_end;
  read_bytes += other.read_bytes;
  skipped_bytes += other.skipped_bytes;
  samples += other.samples;
  callchains += other.callchains;
  truncated_stacks += other.truncated_stacks;
  frames += other.frames;
  for (const auto& [place, count] : other.unresolved) unresolved[place] += count;
  for (const auto& [place, count] : other.incomplete) incomplete[place] += count;
  unjudged_stacks += other.unjudged_stacks;
  for (const auto& [function, count] : other.lost_callers) lost_callers[function] += count;
  beyond_start += other.beyond_start;
  interrupts += other.interrupts;
  told.insert(told.end(), other.told.begin(), other.told.end());
}

std::uint64_t Quality::unresolved_frames() const { return sum_of(unresolved); }
std::uint64_t Quality::stacks_without_a_caller() const { return sum_of(lost_callers); }
std::uint64_t Quality::incomplete_stacks() const { return sum_of(incomplete); }

bool Quality::incomplete_is_estimated() const {
  return unjudged_stacks != 0 ||
         std::ranges::any_of(incomplete, [](const auto& some) { return is_estimated(some.first.reason); });
}

double Quality::lost_records_percent() const { return percent(lost_records, kernel_records + lost_records); }
double Quality::lost_samples_percent() const { return percent(lost_samples, sample_records + lost_samples); }
double Quality::skipped_percent() const { return percent(skipped_bytes, read_bytes + skipped_bytes); }
double Quality::unresolved_percent() const { return percent(unresolved_frames(), frames); }
double Quality::truncated_percent() const { return percent(truncated_stacks, callchains); }
double Quality::incomplete_percent() const { return percent(incomplete_stacks(), callchains); }

std::string_view reason_name(Missing reason) {
  switch (reason) {
    case Missing::none:
      return "none";
    case Missing::no_mapping:
      return "no_mapping";
    case Missing::file_missing:
      return "file_missing";
    case Missing::file_unreadable:
      return "file_unreadable";
    case Missing::not_elf:
      return "not_elf";
    case Missing::build_id_differs:
      return "build_id_differs";
    case Missing::file_differs:
      return "file_differs";
    case Missing::stripped:
      return "stripped";
    case Missing::no_symbol:
      return "no_symbol";
    case Missing::kernel_restricted:
      return "kernel_restricted";
    case Missing::foreign_kernel:
      return "foreign_kernel";
    case Missing::unknown_kernel:
      return "unknown_kernel";
    case Missing::foreign_owner:
      return "foreign_owner";
    case Missing::map_missing:
      return "map_missing";
    case Missing::not_code:
      return "not_code";
    case Missing::guest:
      return "guest";
    case Missing::stack_truncated:
      return "stack_truncated";
  }
  return "none";
}

std::string unresolved_table(const Quality& quality) { return table_of(quality.unresolved, "frame", quality.frames); }

std::string incomplete_table(const Quality& quality) {
  std::string text = table_of(quality.incomplete, "stack", quality.callchains) + lost_callers_table(quality);
  if (quality.beyond_start != 0) {
    text +=
        fmt::format("complete, but with frames behind the start of the thread: {}\n  -> these frames are no callers\n",
                    counted(quality.beyond_start, "stack"));
  }
  return text;
}

std::vector<std::string> QualityBudget::check(const Quality& q) const {
  std::vector<std::string> messages;
  check_share({"samples were lost", q.lost_samples, q.sample_records + q.lost_samples, q.lost_samples_percent()},
              "--max-lost", max_lost, messages);
  if (q.other_lost_records() != 0) {
    check_share({"records were lost", q.lost_records, q.kernel_records + q.lost_records, q.lost_records_percent()},
                "--max-lost", max_lost, messages);
  }
  check_share({"bytes of records were skipped", q.skipped_bytes, q.read_bytes + q.skipped_bytes, q.skipped_percent()},
              "--max-lost", max_lost, messages);
  check_share({"frames have no name", q.unresolved_frames(), q.frames, q.unresolved_percent()}, "--max-unresolved",
              max_unresolved, messages);
  check_share({"stacks were cut", q.truncated_stacks, q.callchains, q.truncated_percent()}, "--max-truncated",
              max_truncated, messages);
  check_share({"stacks are incomplete", q.incomplete_stacks(), q.callchains, q.incomplete_percent()},
              "--max-incomplete", max_incomplete, messages);
  return messages;
}

}  // namespace perfsift::analysis
