#include "output/offcpu/metrics.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "output/offcpu/measuring_metrics.h"

namespace perfsift::output {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

offcpu::Interval blocked_for(std::uint64_t nanoseconds) {
  return {.start = 5,
          .end = 5 + nanoseconds,
          .blocked = nanoseconds,
          .state = offcpu::TaskState(offcpu::TaskState::sleeping)};
}

// The result of Prometheus' histogram_quantile() for the lines of one series.
double quantile(const std::string& text, const std::string& series, double q) {
  std::istringstream lines(text);
  std::vector<std::pair<double, double>> buckets;
  const std::string start = "perfsift_offcpu_seconds_bucket{" + series + ",le=\"";
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(start)) continue;
    const std::string bound = line.substr(start.size(), line.find('"', start.size()) - start.size());
    buckets.emplace_back(bound == "+Inf" ? INFINITY : std::stod(bound), std::stod(line.substr(line.rfind(' '))));
  }
  const double rank = q * buckets.back().second;
  double below = 0, from = 0;
  for (const auto& [bound, count] : buckets) {
    if (count >= rank) return from + (bound - from) * (rank - below) / (count - below);
    below = count;
    from = bound;
  }
  return from;
}

TEST(Metrics, P99_9CanBeComputedToTheFactorOfTheBuckets) {
  std::mt19937 random(3);
  std::lognormal_distribution<double> lengths(std::log(50e3), 1.5);
  for (const double factor : {2.0, 1.2}) {
    Metrics metrics({.factor = factor});
    std::vector<double> all;
    for (int i = 0; i < 50'000; ++i) {
      all.push_back(std::floor(lengths(random)));
      metrics.add(blocked_for(static_cast<std::uint64_t>(all.back())), "server", "lock");
    }
    std::ranges::sort(all);
    const double exact = all[all.size() * 999 / 1000] / 1e9;
    const double computed = quantile(metrics.text({}, 0), R"(part="off_cpu",comm="server",kind="lock")", 0.999);
    EXPECT_LT(computed, exact * factor);
    EXPECT_GT(computed, exact / factor);
  }
}

TEST(Metrics, BoundsGrowByTheFactorFromAMicrosecondToAMinute) {
  const HistogramBounds two(2), ten(10);
  EXPECT_EQ(two.seconds().front(), "1e-06");
  EXPECT_EQ(two.nanoseconds()[9], 512'000u);
  EXPECT_EQ(two.seconds()[9], "0.000512");
  EXPECT_EQ(two.seconds().back(), "67.108864");
  EXPECT_EQ(ten.seconds().back(), "100");
  EXPECT_EQ(two.nanoseconds().size(), 27u);
}

TEST(Metrics, AreOfAsManyPairsOfCommAndKindAsWereAskedForAndOfTheOthersTogether) {
  Metrics metrics({.series = 2});
  for (const char* comm : {"a", "b", "c", "d", "a"}) metrics.add(blocked_for(3000), comm, "lock");
  const std::string text = metrics.text({}, 0);
  EXPECT_THAT(text, HasSubstr("perfsift_offcpu_seconds_count{part=\"off_cpu\",comm=\"a\",kind=\"lock\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("perfsift_offcpu_seconds_count{part=\"off_cpu\",comm=\"b\",kind=\"lock\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("perfsift_offcpu_seconds_count{part=\"off_cpu\",comm=\"[other]\",kind=\"lock\"} 2\n"));
  EXPECT_THAT(text, Not(HasSubstr("comm=\"c\"")));
  EXPECT_THAT(text, HasSubstr("perfsift_offcpu_seconds_sum{part=\"off_cpu\",comm=\"a\",kind=\"lock\"} 0.000006000\n"));
}

TEST(Metrics, NamesAreEscapedAsTheFormatWantsIt) {
  Metrics metrics(MetricsOptions{});
  metrics.add(blocked_for(3000), "a\"b\\c\nd\xff", "lock");
  EXPECT_THAT(metrics.text({}, 0), HasSubstr(R"(comm="a\"b\\c?d?",kind)"));
}

TEST(Metrics, OfSomeIntervalsHaveNoCountersOfAll) {
  EXPECT_THAT(Metrics(MetricsOptions{}).text({}, 0), HasSubstr("perfsift_offcpu_switches_total 0\n"));
  EXPECT_THAT(Metrics(MetricsOptions{.filtered = true}).text({}, 0), Not(HasSubstr("switches_total")));
}

TEST(MeasuringMetrics, HaveWhatMeasuringTookAndLeftOut) {
  offcpu::FeedSources sources;
  EXPECT_EQ(measuring_metrics(sources, 5), "");
  sources.measured = true;
  sources.losses = {.intervals = 3, .time = 2'500'000'000, .filtered = 9};
  sources.cost = {.recorder_time = 1'000'000'000};
  const std::string text = measuring_metrics(sources, 500'000'000);
  EXPECT_THAT(text, HasSubstr("# TYPE perfsift_offcpu_recorder_cpu_seconds_total counter\n"
                              "perfsift_offcpu_recorder_cpu_seconds_total 1.000000000\n"));
  EXPECT_THAT(text, HasSubstr("\nperfsift_offcpu_report_cpu_seconds_total 0.500000000\n"));
  EXPECT_THAT(text, HasSubstr("\nperfsift_offcpu_left_out_total 3\n"));
  EXPECT_THAT(text, HasSubstr("\nperfsift_offcpu_left_out_seconds_total 2.500000000\n"));
  EXPECT_THAT(text, HasSubstr("\nperfsift_offcpu_filtered_total 9\n"));
  EXPECT_THAT(text, Not(HasSubstr("program_runs")));  // the kernel did not count
  sources.cost += {.program_runs = 4, .program_time = 8'000};
  EXPECT_THAT(measuring_metrics(sources, 0), HasSubstr("\nperfsift_offcpu_program_runs_total 4\n"));
  EXPECT_THAT(measuring_metrics(sources, 0), HasSubstr("\nperfsift_offcpu_program_seconds_total 0.000008000\n"));
}

}  // namespace
}  // namespace perfsift::output
