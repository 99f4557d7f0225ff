#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tools/offcpu/duration_text.h"
#include "tools/offcpu/report.h"

namespace perfsift::offcpu {
namespace {

constexpr std::array percents = {50.0, 90.0, 99.0, 99.9, 99.99};

class ReportText {
 public:
  ReportText(const Findings& findings, Names& names, const ReportOptions& options, tools::TextWriter& out)
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
    threads();
    stacks();
    people("Who took the CPU from threads that would have run on", analysis_.by_preemptor(), "waited", "preempted");
    people("Who woke", analysis_.by_waker(), "had waited", "woken");
    chains();
  }

 private:
  void overview() {
    ThreadTimes times;
    std::size_t count = 0;
    for (ThreadNumber number = 0; number < scheduler_.threads().size(); ++number) {
      const ThreadClock& thread = scheduler_.threads()[number];
      if (thread.tid == 0 || !findings_.kept[number]) continue;
      ++count;
      times.run += thread.times.run;
      times.run_queue += thread.times.run_queue;
      times.blocked += thread.times.blocked;
      times.unknown += thread.times.unknown;
    }
    out_.format("{} threads, {} switches, {} wakeups in {}\n", count, scheduler_.counts().switches,
                scheduler_.counts().wakeups, duration_text(scheduler_.now() - scheduler_.start()));
    out_.format("Their time: {} running, {} in run queues, {} blocked, {} unknown: {} in all\n",
                duration_text(times.run), duration_text(times.run_queue), duration_text(times.blocked),
                duration_text(times.unknown), duration_text(times.total()));
    line("Off a CPU", analysis_.all());
    if (findings_.idle_left_out) line("Left out as idle", findings_.idle);
    line("Of them cut by an end of the recording, or with lost records, and in no percentile", analysis_.cut());
    if (analysis_.measured().count != 0) line("Measured by perf record --off-cpu", analysis_.measured());
    if (!findings_.sources.wakeups && analysis_.all().count != 0) {
      out_.text("Wakeups were not recorded: blocked time has the time in run queues in it\n");
    }
  }

  void line(std::string_view what, const IntervalSums& sums) {
    out_.format("{}: {} intervals, {}\n", what, sums.count, duration_text(sums.total()));
  }

  void percentiles() {
    out_.format("\n{:<12}{:>10}", "", "intervals");
    for (const double percent : percents) out_.format("{:>11}", fmt::format("P{:g}", percent));
    out_.format("{:>11}\n", "max");
    const auto row = [&](std::string_view name, const Distribution& of) {
      out_.format("{:<12}{:>10}", name, of.count());
      for (const double percent : percents) out_.format("{:>11}", duration_text(of.percentile(percent)));
      out_.format("{:>11}\n", duration_text(of.max()));
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

  void threads() {
    const auto order = top(analysis_.by_thread(), options_.rows);
    if (order.empty()) return;
    out_.format("\n{:>10} {:>10} {:>10} {:>10} {:>10} {:>10}  {}\n", "running", "run queue", "blocked", "unknown",
                "longest", "intervals", "thread");
    for (const ThreadNumber number : order) {
      const ThreadTimes& times = scheduler_.threads()[number].times;
      const IntervalSums& sums = analysis_.by_thread()[number];
      out_.format("{:>10} {:>10} {:>10} {:>10} {:>10} {:>10}  {}\n", duration_text(times.run),
                  duration_text(sums.run_queue), duration_text(sums.blocked), duration_text(times.unknown),
                  duration_text(sums.longest), sums.count, names_.thread(number));
    }
    rest(analysis_.by_thread(), order.size(), "threads");
  }

  void rest(const std::vector<IntervalSums>& sums, std::size_t shown, std::string_view what) {
    const auto all =
        static_cast<std::size_t>(std::ranges::count_if(sums, [](const IntervalSums& some) { return some.count != 0; }));
    if (all > shown) out_.format("and {} more {}\n", all - shown, what);
  }

  void stacks() {
    std::vector<IntervalSums> with_stack = analysis_.by_stack();
    if (!with_stack.empty()) with_stack[no_stack] = {};
    const auto order = top(with_stack, options_.rows);
    if (order.empty()) return;
    out_.text("\nStacks they left their CPU on\n");
    for (const StackId stack : order) {
      const IntervalSums& sums = with_stack[stack];
      out_.format("{:>10} in {} intervals, the longest {}: {}\n", duration_text(sums.total()), sums.count,
                  duration_text(sums.longest), names_.comm_of_stack(stack));
      const std::string frames = names_.leaf_first(stack, " < ");
      out_.format("{:>10} {}\n", "", frames.empty() ? "no stack was recorded" : frames);
    }
    rest(with_stack, order.size(), "stacks");
  }

  void people(std::string_view title, const std::vector<IntervalSums>& sums, std::string_view did,
              std::string_view whom) {
    const auto order = top(sums, options_.rows);
    if (order.empty()) return;
    out_.format("\n{}\n", title);
    for (const ThreadNumber number : order) {
      out_.format("{:>10} {} {} {} times: {}\n", duration_text(sums[number].total()), did, whom, sums[number].count,
                  names_.thread(number));
    }
    rest(sums, order.size(), "threads");
  }

  void chains() {
    const auto all = analysis_.chains().top(options_.rows);
    if (all.empty()) return;
    out_.text("\nWho waited for whom\n");
    for (const WaitChains::Chain& chain : all) {
      out_.format("{:>10} in {} waits: ", duration_text(chain.blocked), chain.waits);
      for (const ThreadNumber& thread : chain.threads) {
        if (&thread != &chain.threads.front()) out_.text(" < ");
        out_.text(scheduler_.threads()[thread].tid == 0 ? "<interrupt>" : names_.comm(thread));
      }
      out_.text("\n");
    }
  }

  const Scheduler& scheduler_;
  const Analysis& analysis_;
  const Findings& findings_;
  Names& names_;
  const ReportOptions& options_;
  tools::TextWriter& out_;
};

}  // namespace

void write_report(const Findings& findings, Names& names, const ReportOptions& options, tools::TextWriter& out) {
  ReportText(findings, names, options, out).write();
}

}  // namespace perfsift::offcpu
