#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/counted.h"
#include "output/offcpu/duration_text.h"
#include "output/offcpu/report.h"
#include "output/report/report_table.h"

namespace perfsift::output {
namespace {

using perfsift::counted;

constexpr std::array percents = {50.0, 90.0, 99.0, 99.9, 99.99};

class ReportText {
 public:
  ReportText(const Findings& findings, offcpu::Names& names, const ReportOptions& options, TextWriter& out)
      : scheduler_(findings.scheduler),
        analysis_(findings.analysis),
        findings_(findings),
        names_(names),
        options_(options),
        out_(out) {}

  void write() {
    overview();
    percentiles();
    histogram();
    waits();
    threads();
    stacks();
    people("Who took the CPU from threads that would have run on", analysis_.by_preemptor(), "preempted others",
           "time");
    people("Who woke", analysis_.by_waker(), "woke", "wait");
    chains();
    write_notes(findings_.notes, out_);
  }

 private:
  bool tells_of_threads() const { return findings_.tells_of_threads(); }

  void overview() {
    const std::string duration = duration_text(scheduler_.now() - scheduler_.start());
    if (tells_of_threads()) {
      const KeptThreads kept = kept_threads(findings_);
      out_.format("{}, {}, {} in {}\n", counted(kept.count, "thread"), counted(kept.switches, "switch", "switches"),
                  counted(kept.wakeups, "wakeup"), duration);
      out_.format("Their time: {} running, {} in run queues, {} blocked, {} unknown: {} in all\n",
                  duration_text(kept.times.run), duration_text(kept.times.run_queue), duration_text(kept.times.blocked),
                  duration_text(kept.times.unknown), duration_text(kept.times.total()));
    } else if (findings_.scope == Scope::sums) {
      out_.format("{} in all, {}; threads with the same name are one\n", duration,
                  counted(findings_.recordings, "recording"));
    } else {
      out_.format("{} of {} match, in {}\n", analysis_.all().count + analysis_.measured().count,
                  counted(findings_.intervals, "interval"), duration);
    }
    line("Off a CPU", analysis_.all());
    if (findings_.idle_left_out) line("Left out as idle", findings_.idle);
    line("Not in percentiles (incomplete)", analysis_.cut());
    if (analysis_.measured().count != 0) line("Measured by perf record --off-cpu", analysis_.measured());
    losses();
    if (!findings_.sources.wakeups && analysis_.all().count != 0) {
      out_.text("Wakeups were not recorded: blocked time has the time in run queues in it\n");
    }
  }

  // What the BPF programs had no room for.
  void losses() {
    const offcpu::MeasuredLosses& losses = findings_.sources.losses;
    if (losses.intervals != 0) {
      const double all = static_cast<double>(losses.time + analysis_.all().total());
      out_.format("Not in the table, which was full: {}, {}: {:.3g} % of the time\n",
                  counted(losses.intervals, "interval"), duration_text(losses.time),
                  100 * static_cast<double>(losses.time) / all);
    }
    if (losses.threads != 0)
      out_.format("Not known, because of too many threads: {}\n", counted(losses.threads, "interval"));
    if (losses.stacks != 0)
      out_.format("Without their stack, because of too many stacks: {}\n", counted(losses.stacks, "interval"));
    if (losses.not_sent != 0)
      out_.format("Over the threshold, but only in sums: {}\n", counted(losses.not_sent, "interval"));
  }

  void line(std::string_view what, const offcpu::IntervalSums& sums) {
    out_.format("{}: {}, {}\n", what, counted(sums.count, "interval"), duration_text(sums.total()));
  }

  static std::string text_of(std::optional<std::uint64_t> duration) {
    return duration ? duration_text(*duration) : "-";
  }

  void percentiles() {
    if (analysis_.off_cpu().count() == 0) return;
    out_.format("\n{:<12}{:>10}", "", "intervals");
    for (const double percent : percents) out_.format("{:>11}", fmt::format("P{:g}", percent));
    out_.format("{:>11}\n", "max");
    const auto row = [&](std::string_view name, const Distribution& of) {
      out_.format("{:<12}{:>10}", name, of.count());
      for (const double percent : percents) out_.format("{:>11}", text_of(of.known_percentile(percent)));
      out_.format("{:>11}\n", of.count() != 0 ? duration_text(of.max()) : "-");
    };
    row("blocked", analysis_.blocked());
    row("run queue", analysis_.run_queue());
    row("off CPU", analysis_.off_cpu());
  }

  void histogram() {
    const auto powers = analysis_.off_cpu().powers();
    const auto is_used = [](std::uint64_t count) { return count != 0; };
    const auto first = std::ranges::find_if(powers, is_used);
    if (first == powers.end()) return;
    const auto last = std::find_if(powers.rbegin(), powers.rend(), is_used).base();
    const std::uint64_t most = std::ranges::max(powers);
    constexpr std::size_t width = 40;
    out_.text("\nOff CPU, from … to less than twice that\n");
    for (auto power = first; power != last; ++power) {
      const auto bits = static_cast<unsigned>(power - powers.begin());
      const auto stars =
          static_cast<std::size_t>(static_cast<double>(*power) / static_cast<double>(most) * width + 0.5);
      out_.format("{:>10} {:>9} |{:<{}}|\n", duration_text(std::uint64_t{1} << bits), *power, std::string(stars, '*'),
                  width);
    }
  }

  void waits() {
    const auto& all = analysis_.by_wait();
    const bool none_known = std::ranges::all_of(all, [](const offcpu::WaitSums& wait) { return wait.kinds == 0; });
    if (none_known) return;
    out_.format("\n{:<12}{:>10}{:>11}{:>11}{:>11}\n", "Waiting in", "intervals", "blocked", "run queue", "longest");
    for (const offcpu::WaitSums& wait : all) {
      out_.format("{:<12}{:>10}{:>11}{:>11}{:>11}\n", name_of(wait.kinds), wait.sums.count,
                  duration_text(wait.sums.blocked), duration_text(wait.sums.run_queue),
                  duration_text(wait.sums.longest));
    }
  }

  static std::string_view name_of(std::uint64_t kinds) { return kinds != 0 ? filter::wait_name(kinds) : "not known"; }

  void threads() {
    const auto order = offcpu::top_threads(analysis_, findings_.of_kernel, options_.sort, options_.rows);
    if (order.empty()) return;
    const std::map<offcpu::ThreadNumber, std::uint64_t> mostly = most_time_of(order);
    out_.format("\nThreads, {}\n{:>11} ", offcpu::title_of(options_.sort), "involuntary");
    if (tells_of_threads()) out_.format("{:>10} ", "running");
    out_.format("{:>10} {:>10} {:>10} {:>10} {:>10} {:>10}  {:<11} {}\n", "run queue", "blocked", "unknown", "P99.9",
                "longest", "intervals", "waiting in", "thread");
    for (const offcpu::ThreadNumber number : order) {
      const offcpu::ThreadTimes& times = scheduler_.threads()[number].times;
      const offcpu::IntervalSums& sums = analysis_.by_thread()[number];
      const Distribution* const off_cpu = analysis_.off_cpu_of(number);
      out_.format("{:>11} ", duration_text(sums.involuntary));
      if (tells_of_threads()) out_.format("{:>10} ", duration_text(times.run));
      out_.format("{:>10} {:>10} {:>10} {:>10} {:>10} {:>10}  {:<11} {}\n", duration_text(sums.run_queue),
                  duration_text(sums.blocked), duration_text(tells_of_threads() ? times.unknown : sums.unknown),
                  text_of(off_cpu != nullptr ? off_cpu->known_percentile(99.9) : std::nullopt),
                  duration_text(sums.longest), sums.count, name_of(mostly.at(number)), names_.thread(number));
    }
    rest(analysis_.by_thread(), order.size(), "thread");
  }

  // For each thread, the kind of wait that took most of its time.
  std::map<offcpu::ThreadNumber, std::uint64_t> most_time_of(const std::vector<offcpu::ThreadNumber>& threads) const {
    std::map<offcpu::ThreadNumber, std::map<std::uint64_t, std::uint64_t>> times;
    for (const offcpu::ThreadNumber thread : threads) times[thread];
    for (const offcpu::IntervalGroup* const group : analysis_.groups()) {
      const auto known = times.find(group->first.thread);
      if (known == times.end()) continue;
      known->second[filter::main_wait(findings_.waits.of(group->first))] += group->sums.total();
    }
    std::map<offcpu::ThreadNumber, std::uint64_t> most;
    for (const auto& [thread, by_kind] : times) {
      const auto longest = std::ranges::max_element(by_kind, {}, [](const auto& one) { return one.second; });
      most[thread] = longest == by_kind.end() ? 0 : longest->first;
    }
    return most;
  }

  void rest(const std::vector<offcpu::IntervalSums>& sums, std::size_t shown, std::string_view what) {
    const auto all = static_cast<std::size_t>(
        std::ranges::count_if(sums, [](const offcpu::IntervalSums& some) { return some.count != 0; }));
    if (all > shown) out_.format("and {} more {}{}\n", all - shown, what, all - shown == 1 ? "" : "s");
  }

  void stacks() {
    const auto order = offcpu::top_stacks(analysis_, findings_.of_kernel, options_.sort, options_.rows);
    if (order.empty()) return;
    out_.format("\nStacks they left their CPU on, {}\n", offcpu::title_of(options_.sort));
    for (const offcpu::StackId stack : order) {
      const offcpu::IntervalSums& sums = analysis_.by_stack()[stack];
      const std::uint64_t kinds = findings_.waits.of_stack(stack);
      out_.format("{:>10} in {}, the longest {}: {}\n", duration_text(sums.total()), counted(sums.count, "interval"),
                  duration_text(sums.longest), names_.comm_of_stack(stack));
      if (kinds != 0 && kinds != filter::wait_other)
        out_.format("{:>10} waiting in: {}\n", "", filter::wait_name(kinds));
      const std::string frames = names_.leaf_first(stack, " < ");
      out_.format("{:>10} {}\n", "", frames.empty() ? "no stack was recorded" : frames);
    }
    std::vector<offcpu::IntervalSums> with_stack = analysis_.by_stack();
    with_stack[offcpu::no_stack] = {};
    rest(with_stack, order.size(), "stack");
  }

  void people(std::string_view title, const std::vector<offcpu::IntervalSums>& sums, std::string_view did,
              std::string_view what) {
    const auto order = offcpu::top(sums, options_.rows);
    if (order.empty()) return;
    out_.format("\n{}\n", title);
    for (const offcpu::ThreadNumber number : order) {
      out_.format("  {:<22} {} {}, {} in total\n", names_.thread(number), did, counted(sums[number].count, what),
                  duration_text(sums[number].total()));
    }
    rest(sums, order.size(), "thread");
  }

  void chains() {
    const auto all = analysis_.chains().top(options_.rows);
    if (all.empty()) return;
    out_.text("\nWho waited for whom\n");
    for (const offcpu::WaitChains::Chain& chain : all) {
      out_.format("{:>10} in {}: ", duration_text(chain.blocked), counted(chain.waits, "wait"));
      for (const offcpu::ThreadNumber& thread : chain.threads) {
        if (&thread != &chain.threads.front()) out_.text(" < ");
        out_.text(scheduler_.threads()[thread].tid == 0 ? "<interrupt>" : names_.comm(thread));
      }
      out_.text("\n");
    }
  }

  const offcpu::Scheduler& scheduler_;
  const offcpu::Analysis& analysis_;
  const Findings& findings_;
  offcpu::Names& names_;
  const ReportOptions& options_;
  TextWriter& out_;
};

}  // namespace

KeptThreads kept_threads(const Findings& findings) {
  KeptThreads kept;
  const auto threads = findings.scheduler.threads();
  for (offcpu::ThreadNumber number = 0; number < threads.size(); ++number) {
    const offcpu::ThreadClock& thread = threads[number];
    if (thread.tid == 0 || !findings.kept[number]) continue;
    ++kept.count;
    kept.switches += thread.switches;
    kept.wakeups += thread.wakeups;
    kept.times.run += thread.times.run;
    kept.times.run_queue += thread.times.run_queue;
    kept.times.blocked += thread.times.blocked;
    kept.times.unknown += thread.times.unknown;
  }
  if (findings.scope != Scope::all) return kept;
  kept.switches = findings.scheduler.counts().switches;  // switches of idle threads belong to no thread
  kept.wakeups = findings.scheduler.counts().wakeups;
  return kept;
}

void write_report(const Findings& findings, offcpu::Names& names, const ReportOptions& options, TextWriter& out) {
  ReportText(findings, names, options, out).write();
}

}  // namespace perfsift::output
