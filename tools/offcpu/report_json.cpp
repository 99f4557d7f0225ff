#include <cmath>
#include <string>
#include <vector>

#include "tools/offcpu/report.h"
#include "tools/offcpu/spike_json.h"

namespace perfsift::offcpu {
namespace {

// Whole nanoseconds, written as milliseconds.
double milliseconds(std::uint64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e6; }

Json times_json(const ThreadTimes& times) {
  return {{"run", times.run}, {"run_queue", times.run_queue}, {"blocked", times.blocked}, {"unknown", times.unknown}};
}

Json sums_json(const IntervalSums& sums) {
  return {{"intervals", sums.count},     {"off_cpu", sums.total()}, {"blocked", sums.blocked},
          {"run_queue", sums.run_queue}, {"unknown", sums.unknown}, {"longest", sums.longest}};
}

Json distribution_json(const Distribution& distribution) {
  Json histogram = Json::array();
  const auto powers = distribution.powers();
  for (std::size_t bits = 0; bits < powers.size(); ++bits) {
    if (powers[bits] != 0) histogram.push_back({{"from", std::uint64_t{1} << bits}, {"count", powers[bits]}});
  }
  return {{"intervals", distribution.count()},        {"sum", distribution.sum()},
          {"p50", distribution.percentile(50)},       {"p90", distribution.percentile(90)},
          {"p99", distribution.percentile(99)},       {"p99_9", distribution.percentile(99.9)},
          {"p99_99", distribution.percentile(99.99)}, {"max", distribution.max()},
          {"histogram", std::move(histogram)}};
}

class ReportJson {
 public:
  ReportJson(const Findings& findings, Names& names, const ReportOptions& options)
      : scheduler_(findings.scheduler),
        analysis_(findings.analysis),
        findings_(findings),
        names_(names),
        options_(options) {}

  Json json() {
    const SchedulerCounts& counts = scheduler_.counts();
    Json all;
    all["start"] = scheduler_.start();
    all["end"] = scheduler_.now();
    all["switches"] = counts.switches;
    all["wakeups"] = counts.wakeups;
    all["input"] = {{"late", counts.late},
                    {"impossible", counts.impossible},
                    {"contradictions", counts.contradictions},
                    {"lost", counts.losses}};
    all["off_cpu"] = sums_json(analysis_.all());
    all["cut"] = sums_json(analysis_.cut());
    if (findings_.idle_left_out) all["idle"] = sums_json(findings_.idle);
    if (analysis_.measured().count != 0) all["measured"] = sums_json(analysis_.measured());
    all["distributions"] = {{"blocked", distribution_json(analysis_.blocked())},
                            {"run_queue", distribution_json(analysis_.run_queue())},
                            {"off_cpu", distribution_json(analysis_.off_cpu())}};
    all["threads"] = threads();
    all["stacks"] = stacks();
    all["preemptors"] = people(analysis_.by_preemptor());
    all["wakers"] = people(analysis_.by_waker());
    all["chains"] = chains();
    if (findings_.spikes != nullptr) all["spikes"] = spikes();
    return all;
  }

 private:
  Json threads() {
    Json list = Json::array();
    for (ThreadNumber number = 0; number < scheduler_.threads().size(); ++number) {
      const ThreadClock& thread = scheduler_.threads()[number];
      if (thread.tid == 0 || !findings_.kept[number]) continue;
      Json one{{"tid", thread.tid},
               {"pid", thread.pid},
               {"comm", names_.comm(number)},
               {"wait_ms", milliseconds(thread.timehist.wait)},
               {"sched_delay_ms", milliseconds(thread.timehist.delay)},
               {"run_ms", milliseconds(thread.timehist.run)},
               {"switches", thread.switches},
               {"migrations", thread.migrations},
               {"first", thread.first},
               {"observed", thread.observed()},
               {"times", times_json(thread.times)}};
      if (number < analysis_.by_thread().size()) one["off_cpu"] = sums_json(analysis_.by_thread()[number]);
      list.push_back(std::move(one));
    }
    return list;
  }

  Json stacks() {
    Json list = Json::array();
    for (const StackId stack : top(analysis_.by_stack(), options_.rows)) {
      Json one = sums_json(analysis_.by_stack()[stack]);
      if (stack != no_stack) one["comm"] = names_.comm_of_stack(stack);
      one["frames"] = frames_json(stack, names_);
      list.push_back(std::move(one));
    }
    return list;
  }

  Json people(const std::vector<IntervalSums>& sums) {
    Json list = Json::array();
    for (const ThreadNumber number : top(sums, options_.rows)) {
      Json one = thread_json(number, names_);
      one.update(sums_json(sums[number]));
      list.push_back(std::move(one));
    }
    return list;
  }

  Json chains() {
    Json list = Json::array();
    for (const WaitChains::Chain& chain : analysis_.chains().top(options_.rows)) {
      Json names = Json::array();
      for (const ThreadNumber thread : chain.threads) names.push_back(names_.comm(thread));
      list.push_back({{"threads", std::move(names)}, {"waits", chain.waits}, {"blocked", chain.blocked}});
    }
    return list;
  }

  Json spikes() {
    Json list = Json::array();
    for (const Spike& spike : *findings_.spikes) list.push_back(spike_json(spike, names_));
    return list;
  }

  const Scheduler& scheduler_;
  const Analysis& analysis_;
  const Findings& findings_;
  Names& names_;
  const ReportOptions& options_;
};

}  // namespace

// Names are bytes that anybody may have chosen: what is no UTF-8 in them is replaced.
std::string report_json(const Findings& findings, Names& names, const ReportOptions& options) {
  return ReportJson(findings, names, options).json().dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace perfsift::offcpu
