#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "output/offcpu/report.h"
#include "output/offcpu/spike_json.h"

namespace perfsift::output {
namespace {

// Whole nanoseconds, written as milliseconds.
double milliseconds(std::uint64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e6; }

Json times_json(const offcpu::ThreadTimes& times) {
  return {{"run", times.run}, {"run_queue", times.run_queue}, {"blocked", times.blocked}, {"unknown", times.unknown}};
}

Json timehist_json(const offcpu::TimehistFigures& figures) {
  return {{"wait_ms", milliseconds(figures.wait)},
          {"sched_delay_ms", milliseconds(figures.delay)},
          {"run_ms", milliseconds(figures.run)}};
}

Json sums_json(const offcpu::IntervalSums& sums) {
  return {{"intervals", sums.count},     {"off_cpu", sums.total()}, {"blocked", sums.blocked},
          {"run_queue", sums.run_queue}, {"unknown", sums.unknown}, {"longest", sums.longest}};
}

// What BPF programs had no room for, or left out, and what they took.
Json in_kernel_json(const offcpu::MeasuredLosses& losses, const offcpu::MeasuringCost& cost) {
  return {{"left_out", losses.intervals},        {"left_out_time", losses.time},
          {"without_thread", losses.threads},    {"without_stack", losses.stacks},
          {"not_sent", losses.not_sent},         {"filtered", losses.filtered},
          {"recorder_time", cost.recorder_time}, {"program_runs", cost.program_runs},
          {"program_time", cost.program_time},   {"attach_time", cost.attach_time}};
}

// null if there are fewer intervals than the percentile needs.
Json percentile_json(const Distribution& distribution, double percent) {
  const auto value = distribution.known_percentile(percent);
  return value ? Json(*value) : Json();
}

Json distribution_json(const Distribution& distribution) {
  Json histogram = Json::array();
  const auto powers = distribution.powers();
  for (std::size_t bits = 0; bits < powers.size(); ++bits) {
    if (powers[bits] != 0) histogram.push_back({{"from", std::uint64_t{1} << bits}, {"count", powers[bits]}});
  }
  return {{"intervals", distribution.count()},
          {"sum", distribution.sum()},
          {"p50", percentile_json(distribution, 50)},
          {"p90", percentile_json(distribution, 90)},
          {"p99", percentile_json(distribution, 99)},
          {"p99_9", percentile_json(distribution, 99.9)},
          {"p99_99", percentile_json(distribution, 99.99)},
          {"max", distribution.max()},
          {"histogram", std::move(histogram)}};
}

class ReportJson {
 public:
  ReportJson(const Findings& findings, offcpu::Names& names, const ReportOptions& options)
      : scheduler_(findings.scheduler),
        analysis_(findings.analysis),
        findings_(findings),
        names_(names),
        options_(options) {}

  Json json() {
    Json all = findings_.scope == Scope::sums ? of_store() : of_recording();
    if (findings_.sources.measured) all["in_kernel"] = in_kernel_json(findings_.sources.losses, findings_.sources.cost);
    all["off_cpu"] = sums_json(analysis_.all());
    all["cut"] = sums_json(analysis_.cut());
    if (findings_.idle_left_out) all["idle"] = sums_json(findings_.idle);
    if (analysis_.measured().count != 0) all["measured"] = sums_json(analysis_.measured());
    all["distributions"] = {{"blocked", distribution_json(analysis_.blocked())},
                            {"run_queue", distribution_json(analysis_.run_queue())},
                            {"off_cpu", distribution_json(analysis_.off_cpu())}};
    all["waits"] = waits();
    all["threads"] = threads();
    all["stacks"] = stacks();
    all["preemptors"] = people(analysis_.by_preemptor());
    all["wakers"] = people(analysis_.by_waker());
    all["chains"] = chains();
    if (findings_.spikes != nullptr) all["spikes"] = spikes();
    all["notes"] = findings_.notes;
    return all;
  }

 private:
  Json of_store() const {
    return {{"recordings", findings_.recordings},
            {"duration", scheduler_.now() - scheduler_.start()},
            {"matching", analysis_.all().count},
            {"of_intervals", findings_.intervals}};
  }

  Json of_recording() const {
    const offcpu::SchedulerCounts& counts = scheduler_.counts();
    Json all;
    all["start"] = scheduler_.start();
    all["end"] = scheduler_.now();
    if (tells_of_threads()) {
      const KeptThreads kept = kept_threads(findings_);
      all["switches"] = kept.switches;
      all["wakeups"] = kept.wakeups;
    } else {
      all["matching"] = analysis_.all().count + analysis_.measured().count;
      all["of_intervals"] = findings_.intervals;
    }
    all["input"] = {{"late", counts.late},
                    {"impossible", counts.impossible},
                    {"contradictions", counts.contradictions},
                    {"lost", counts.losses}};
    return all;
  }

  bool tells_of_threads() const { return findings_.tells_of_threads(); }

  Json waits() {
    Json list = Json::array();
    for (const offcpu::WaitSums& wait : analysis_.by_wait()) {
      Json one{{"wait", wait_json(wait.kinds)}};
      one.update(sums_json(wait.sums));
      list.push_back(std::move(one));
    }
    return list;
  }

  // If only some intervals count, threads without such an interval are left out, and so are all other times.
  Json threads() {
    Json list = Json::array();
    for (offcpu::ThreadNumber number = 0; number < scheduler_.threads().size(); ++number) {
      const offcpu::ThreadClock& thread = scheduler_.threads()[number];
      const bool has_intervals = number < analysis_.by_thread().size() && analysis_.by_thread()[number].count != 0;
      if (thread.tid == 0 || !findings_.kept[number] || !(has_intervals || tells_of_threads())) continue;
      Json one;
      if (findings_.scope != Scope::sums) one = {{"tid", thread.tid}, {"pid", thread.pid}};
      one["comm"] = names_.recorded_comm(number);
      if (tells_of_threads()) {
        const bool each_is_known = !findings_.sources.measured;  // sums have no figures of single switches
        if (each_is_known) one.update(timehist_json(thread.timehist));
        one["switches"] = thread.switches;
        if (each_is_known) one["migrations"] = thread.migrations;
        one.update({{"first", thread.first}, {"observed", thread.observed()}, {"times", times_json(thread.times)}});
      }
      if (number < analysis_.by_thread().size()) {
        one["off_cpu"] = sums_json(analysis_.by_thread()[number]);
        one["involuntary"] = analysis_.by_thread()[number].involuntary;
      }
      if (const Distribution* const off_cpu = analysis_.off_cpu_of(number)) {
        one["p50"] = percentile_json(*off_cpu, 50);
        one["p99"] = percentile_json(*off_cpu, 99);
        one["p99_9"] = percentile_json(*off_cpu, 99.9);
      }
      list.push_back(std::move(one));
    }
    return list;
  }

  Json stacks() {
    Json list = Json::array();
    for (const offcpu::StackId stack :
         offcpu::top_stacks(analysis_, findings_.of_kernel, options_.sort, options_.rows)) {
      Json one = sums_json(analysis_.by_stack()[stack]);
      one["comm"] = names_.recorded_comm_of_stack(stack);
      one["wait"] = wait_json(findings_.waits.of_stack(stack));
      one["frames"] = frames_json(stack, names_);
      list.push_back(std::move(one));
    }
    return list;
  }

  Json people(const std::vector<offcpu::IntervalSums>& sums) {
    Json list = Json::array();
    for (const offcpu::ThreadNumber number : offcpu::top(sums, options_.rows)) {
      Json one = thread_json(number, names_);
      one.update(sums_json(sums[number]));
      list.push_back(std::move(one));
    }
    return list;
  }

  Json chains() {
    Json list = Json::array();
    for (const offcpu::WaitChains::Chain& chain : analysis_.chains().top(options_.rows)) {
      Json names = Json::array();
      for (const offcpu::ThreadNumber thread : chain.threads) names.push_back(names_.recorded_comm(thread));
      list.push_back({{"threads", std::move(names)}, {"waits", chain.waits}, {"blocked", chain.blocked}});
    }
    return list;
  }

  Json spikes() {
    Json list = Json::array();
    for (const offcpu::Spike& spike : *findings_.spikes) list.push_back(spike_json(spike, names_, findings_.waits));
    return list;
  }

  const offcpu::Scheduler& scheduler_;
  const offcpu::Analysis& analysis_;
  const Findings& findings_;
  offcpu::Names& names_;
  const ReportOptions& options_;
};

}  // namespace

// Names may have any bytes: invalid UTF-8 is replaced.
std::string report_json(const Findings& findings, offcpu::Names& names, const ReportOptions& options) {
  return ReportJson(findings, names, options).json().dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace perfsift::output
