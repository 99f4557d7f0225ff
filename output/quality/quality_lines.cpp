#include "output/quality/quality_lines.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/duration.h"
#include "base/printable.h"

namespace perfsift::output {
namespace {

constexpr std::size_t most_told = 12;

constexpr std::string_view lost = "lost: ", throttled = "throttled: ", not_readable = "not readable: ", cut = "cut: ",
                           incomplete = "incomplete: ", lost_caller = "the leaf's caller may be missing: ",
                           without_a_name = "without a name: ", interrupts = "interrupts left out: ";

std::string share(double percent) {
  return percent < 0.1 ? std::string("less than 0.1 %") : fmt::format("{:.3g} %", percent);
}

// "lost: 37 samples (0.4 %)"
std::string line(std::string_view what, std::uint64_t count, std::string_view noun, double percent) {
  return fmt::format("{}{} ({})", what, counted(count, noun), share(percent));
}

// The most frequent reason, and its share of `whole` in percent: "the file is not on this machine: 10 %".
template <typename Place>
std::string main_reason(const std::map<Place, std::uint64_t>& places, std::uint64_t whole) {
  std::map<decltype(Place::reason), std::uint64_t> counts;
  for (const auto& [place, count] : places) counts[place.reason] += count;
  const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
  const double percent = 100.0 * static_cast<double>(most->second) / static_cast<double>(whole);
  return fmt::format("{}: {}", describe(most->first), share(percent));
}

}  // namespace

std::string throttling_line(const analysis::Quality& quality) {
  std::string text = fmt::format("{}{}", throttled, counted(quality.throttled, "time"));
  if (quality.throttled_time != 0) text += fmt::format(", {} s in all", seconds_text(quality.throttled_time));
  if (quality.throttled_without_end != 0) text += fmt::format(", {} without an end", quality.throttled_without_end);
  return text;
}

std::vector<std::string> quality_lines(const analysis::Quality& quality) {
  std::vector<std::string> lines;
  if (quality.lost_samples != 0)
    lines.push_back(line(lost, quality.lost_samples, "sample", quality.lost_samples_percent()));
  if (quality.other_lost_records() != 0)
    lines.push_back(line(lost, quality.lost_records, "record", quality.lost_records_percent()));
  if (quality.throttled != 0) lines.push_back(throttling_line(quality));
  if (quality.skipped_bytes != 0)
    lines.push_back(line(not_readable, quality.skipped_bytes, "byte", quality.skipped_percent()));
  if (quality.truncated_stacks != 0)
    lines.push_back(line(cut, quality.truncated_stacks, "stack", quality.truncated_percent()));
  if (const std::uint64_t stacks = quality.incomplete_stacks(); stacks != 0) {
    lines.push_back(fmt::format("{}, mostly: {}", line(incomplete, stacks, "stack", quality.incomplete_percent()),
                                main_reason(quality.incomplete, quality.callchains)));
  }
  if (const std::uint64_t stacks = quality.stacks_without_a_caller(); stacks != 0) {
    const auto most =
        std::ranges::max_element(quality.lost_callers, {}, [](const auto& entry) { return entry.second; });
    const double percent = 100.0 * static_cast<double>(stacks) / static_cast<double>(quality.callchains);
    lines.push_back(
        fmt::format("{}, mostly of {}", line(lost_caller, stacks, "stack", percent), printable(most->first)));
  }
  if (const std::uint64_t unnamed = quality.unresolved_frames(); unnamed != 0) {
    lines.push_back(fmt::format("{}, mostly: {}", line(without_a_name, unnamed, "frame", quality.unresolved_percent()),
                                main_reason(quality.unresolved, quality.frames)));
  }
  if (quality.interrupts.left_out != 0) {
    const double percent =
        100.0 * static_cast<double>(quality.interrupts.left_out) / static_cast<double>(quality.interrupts.of);
    lines.push_back(line(interrupts, quality.interrupts.left_out, "sample", percent));
  }
  const std::size_t shown = std::min(quality.told.size(), most_told);
  lines.insert(lines.end(), quality.told.begin(), quality.told.begin() + static_cast<std::ptrdiff_t>(shown));
  if (shown < quality.told.size())
    lines.push_back(fmt::format("and {} more", counted(quality.told.size() - shown, "such line")));
  return lines;
}

bool is_quality_line(std::string_view text) {
  return std::ranges::any_of(
      std::array{lost, throttled, not_readable, cut, incomplete, lost_caller, without_a_name, interrupts},
      [&](std::string_view what) { return text.starts_with(what); });
}

}  // namespace perfsift::output
