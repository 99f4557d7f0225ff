#include "output/gate/wall_times_text.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/duration.h"
#include "base/printable.h"

namespace perfsift::output {
namespace {

// With the unit that the time is usually told in.
std::string time_text(double nanoseconds) {
  constexpr double millisecond = 1e6;
  if (nanoseconds < one_second) return fmt::format("{:.2f} ms", nanoseconds / millisecond);
  return fmt::format("{:.3f} s", nanoseconds / static_cast<double>(one_second));
}

std::string change_text(double before, double after) {
  return before > 0 ? fmt::format("{:+.1f} %", 100 * (after - before) / before) : std::string();
}

void write_line(const WallTimes& command, const std::string& change, TextWriter& out) {
  const auto [mean, deviation] = mean_and_deviation(command.times);
  const auto [fastest, slowest] = std::ranges::minmax(command.times);
  out.text(fmt::format("{:<10} {:>6} {:>12} {:>12} {:>12} {:>12}", printable(command.name), command.times.size(),
                       time_text(mean), deviation ? time_text(*deviation) : "-",
                       time_text(static_cast<double>(fastest)), time_text(static_cast<double>(slowest))));
  if (!change.empty()) out.text("  " + change);
  out.character('\n');
}

}  // namespace

MeanAndDeviation mean_and_deviation(std::span<const std::uint64_t> values) {
  MeanAndDeviation result;
  if (values.empty()) return result;
  const auto count = static_cast<double>(values.size());
  result.mean = std::accumulate(values.begin(), values.end(), 0.0,
                                [](double sum, std::uint64_t value) { return sum + static_cast<double>(value); }) /
                count;
  if (values.size() < 2) return result;
  double squares = 0;
  for (const std::uint64_t value : values) squares += std::pow(static_cast<double>(value) - result.mean, 2);
  result.deviation = std::sqrt(squares / (count - 1));
  return result;
}

void write_wall_times(std::span<const WallTimes> commands, TextWriter& out) {
  if (std::ranges::all_of(commands, [](const WallTimes& command) { return command.times.empty(); })) return;
  out.text(fmt::format("{:<10} {:>6} {:>12} {:>12} {:>12} {:>12}\n", "wall time", "runs", "mean", "deviation",
                       "fastest", "slowest"));
  const WallTimes* first = nullptr;
  for (const WallTimes& command : commands) {
    if (command.times.empty()) continue;
    const bool later = first != nullptr;
    if (!later) first = &command;
    write_line(command,
               later ? change_text(mean_and_deviation(first->times).mean, mean_and_deviation(command.times).mean) : "",
               out);
  }
}

}  // namespace perfsift::output
