#include "filter/budget/measure.h"

#include <algorithm>

#include "base/number_in.h"

namespace perfsift::filter {
namespace {

constexpr Measure table[] = {
    {"self", Quantity::self, MeasureOf::function, BudgetUnit::percent, R"(self("f") < 3%)",
     "the share of samples in which the function itself ran"},
    {"total", Quantity::total, MeasureOf::function, BudgetUnit::percent, R"(total("f") < 3%)",
     "the share of samples with the function on their stack"},
    {"share", Quantity::share, MeasureOf::samples, BudgetUnit::percent, R"(share(comm == "rx") < 5%)",
     "the share of samples for which the expression is true"},
    {"max", Quantity::longest, MeasureOf::waits, BudgetUnit::nanoseconds, "max(offcpu) < 10ms",
     "the longest interval off a CPU"},
    {"mean", Quantity::mean, MeasureOf::waits, BudgetUnit::nanoseconds, "mean(blocked) < 1ms",
     "the mean length of intervals off a CPU"},
    {"count", Quantity::count, MeasureOf::waits, BudgetUnit::count, "count(offcpu, wait == lock) < 100",
     "the number of intervals off a CPU"},
    {"sum", Quantity::sum, MeasureOf::waits, BudgetUnit::nanoseconds, "sum(runqueue) < 1s",
     "the time off a CPU in all intervals"},
    {"lost", Quantity::lost, MeasureOf::quality, BudgetUnit::percent, "lost < 0.1%",
     "lost records, lost samples, or skipped bytes, whichever share is the largest"},
    {"truncated", Quantity::truncated, MeasureOf::quality, BudgetUnit::percent, "truncated < 1%",
     "the share of stacks that were cut when they were recorded"},
    {"unresolved", Quantity::unresolved, MeasureOf::quality, BudgetUnit::percent, "unresolved < 5%",
     "the share of frames without a name"},
    {"incomplete", Quantity::incomplete, MeasureOf::quality, BudgetUnit::percent, "incomplete < 5%",
     "the share of stacks that end before the start of their thread"},
    {"throttled", Quantity::throttled, MeasureOf::quality, BudgetUnit::count, "throttled == 0",
     "how often the kernel stopped an event that was too frequent"},
    {"samples", Quantity::samples, MeasureOf::quality, BudgetUnit::count, "samples >= 1000",
     "the number of samples that the options keep"},
    {"accesses", Quantity::accesses, MeasureOf::memory, BudgetUnit::count, R"(accesses("v") < 20%)",
     "sampled memory accesses"},
    {"loads", Quantity::loads, MeasureOf::memory, BudgetUnit::count, R"(loads("v") < 20%)", "sampled loads"},
    {"stores", Quantity::stores, MeasureOf::memory, BudgetUnit::count, R"(stores("v") < 20%)", "sampled stores"},
    {"hitm", Quantity::hitm, MeasureOf::memory, BudgetUnit::count, R"(hitm("v") == 0)",
     "loads of a line that another cache had modified"},
    {"local_hitm", Quantity::local_hitm, MeasureOf::memory, BudgetUnit::count, R"(local_hitm("v") == 0)",
     "the same, in a cache of the same node"},
    {"remote_hitm", Quantity::remote_hitm, MeasureOf::memory, BudgetUnit::count, R"(remote_hitm("v") == 0)",
     "the same, in a cache of another node"},
    {"peer", Quantity::peer, MeasureOf::memory, BudgetUnit::count, R"(peer("v") == 0)",
     "loads of a line that a peer cache sent (Arm)"},
    {"local_peer", Quantity::local_peer, MeasureOf::memory, BudgetUnit::count, R"(local_peer("v") == 0)",
     "the same, from a cache of the same node"},
    {"remote_peer", Quantity::remote_peer, MeasureOf::memory, BudgetUnit::count, R"(remote_peer("v") == 0)",
     "the same, from a cache of another node"},
};

}  // namespace

std::span<const Measure> measures() { return table; }

const Measure* find_measure(std::string_view name, double& percentile) {
  const auto* const found = std::ranges::find(table, name, &Measure::name);
  if (found != std::end(table)) return found;
  if (!name.starts_with('p')) return nullptr;
  percentile = number_in<double>(name.substr(1)).value_or(0);
  return percentile > 0 && percentile < 100 ? &percentile_measure : nullptr;
}

}  // namespace perfsift::filter
