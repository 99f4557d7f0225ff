#include "analysis/selection/selection.h"

#include <algorithm>

namespace perfsift::analysis {
namespace {

constexpr std::uint32_t rows_between_checks = 1u << 16;

struct Rows {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

Rows rows_in(const SampleTable& table, const SampleTable::Thread& thread, const Selection& selection) {
  if (selection.is_all_times()) return {thread.begin, thread.end};
  const auto first = table.times.begin() + thread.begin, last = table.times.begin() + thread.timed_end;
  const auto from = std::lower_bound(first, last, selection.from),
             until = std::lower_bound(from, last, selection.until);
  return {static_cast<std::uint32_t>(from - table.times.begin()),
          static_cast<std::uint32_t>(until - table.times.begin())};
}

// Calls visit(thread, row) for the selected rows.
template <typename Visit>
void for_each_selected(const SampleTable& table, const Selection& selection, const StopFlag& stop, Visit&& visit) {
  for (std::uint32_t number = 0; number < table.threads().size(); ++number) {
    if (selection.thread && *selection.thread != number) continue;
    stop.check();
    const Rows rows = rows_in(table, table.threads()[number], selection);
    for (std::uint32_t row = rows.begin; row < rows.end; ++row) {
      if (row % rows_between_checks == 0) stop.check();
      if (table.events[row] != selection.event) continue;
      if (selection.cpu && table.cpu_numbers[row] != *selection.cpu) continue;
      if (selection.kept != nullptr && !selection.kept->has(row)) continue;
      visit(number, row);
    }
  }
}

}  // namespace

LargeVector<Amount> amounts_by_leaf(const SampleTable& table, const Selection& selection, const StopFlag& stop) {
  LargeVector<Amount> amounts(table.leaves().size());
  for_each_selected(table, selection, stop, [&](std::uint32_t, std::uint32_t row) {
    amounts[table.leaf_ids[row]] += {.samples = 1, .value = table.values[row]};
  });
  return amounts;
}

LargeVector<Amount> amounts_over_time(const SampleTable& table, const Selection& selection, const TimeBins& bins,
                                      LaneKind kind, std::span<const std::uint32_t> lanes, const StopFlag& stop) {
  constexpr std::uint32_t no_lane = ~std::uint32_t{0};
  const std::size_t things = kind == LaneKind::thread ? table.threads().size() : table.cpus().size();
  std::vector<std::uint32_t> lane_of(things, no_lane);
  for (std::uint32_t lane = 0; lane < lanes.size() && kind != LaneKind::all; ++lane) {
    if (lanes[lane] < things) lane_of[lanes[lane]] = lane;
  }
  const std::size_t lane_count = kind == LaneKind::all ? 1 : lanes.size();
  LargeVector<Amount> amounts(lane_count * bins.count);

  Selection shown = selection;
  shown.from = bins.from;
  const std::uint64_t room = Selection::end_of_time - bins.from;
  const bool fits = bins.count == 0 || bins.width <= room / bins.count;
  shown.until = fits ? bins.from + bins.width * bins.count : Selection::end_of_time;
  for_each_selected(table, shown, stop, [&](std::uint32_t thread, std::uint32_t row) {
    if (table.times[row] == reader::no_time) return;
    const std::uint32_t lane = kind == LaneKind::all      ? 0
                               : kind == LaneKind::thread ? lane_of[thread]
                                                          : lane_of[table.cpu_numbers[row]];
    const std::uint64_t bin = (table.times[row] - bins.from) / bins.width;
    if (lane != no_lane && bin < bins.count) {
      amounts[std::size_t{lane} * bins.count + bin] += {.samples = 1, .value = table.values[row]};
    }
  });
  return amounts;
}

}  // namespace perfsift::analysis
