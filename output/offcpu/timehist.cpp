#include "output/offcpu/timehist.h"

#include <algorithm>

#include <fmt/format.h>

namespace perfsift::output {
namespace {

std::string milliseconds_text(std::uint64_t nanoseconds) {
  return fmt::format("{:>6}.{:03} ", nanoseconds / 1'000'000, nanoseconds / 1000 % 1000);
}

}  // namespace

TimehistPrinter::TimehistPrinter(const offcpu::Names& names, TextWriter& out) : names_(names), out_(out) {
  out_.text(
      "           time    cpu  task name                       wait time  sch delay   run time\n"
      "                        [tid/pid]                          (msec)     (msec)     (msec)\n"
      "--------------- ------  ------------------------------  ---------  ---------  ---------\n");
}

// timehist_get_commstr() in tools/perf/builtin-sched.c, which cuts to 31 characters.
std::string TimehistPrinter::shown(offcpu::ThreadNumber thread) const {
  const offcpu::ThreadClock& clock = names_.scheduler().threads()[thread];
  if (clock.tid == 0) return "<idle>";
  std::string text = clock.tid == clock.pid ? fmt::format("{}[{}]", names_.comm(thread), clock.tid)
                                            : fmt::format("{}[{}/{}]", names_.comm(thread), clock.tid, clock.pid);
  if (text.size() > 31) text.resize(31);
  return text;
}

void TimehistPrinter::left(offcpu::ThreadNumber thread, std::int32_t cpu, std::uint64_t time,
                           const offcpu::TimehistFigures& figures) {
  const std::string name = shown(thread);
  width_ = std::max(width_, name.size());
  out_.text(
      fmt::format("{:>8}.{:06} [{:04}]  {:<{}} ", time / 1'000'000'000, time / 1000 % 1'000'000, cpu, name, width_));
  out_.text(milliseconds_text(figures.wait));
  out_.text(milliseconds_text(figures.delay));
  out_.text(milliseconds_text(figures.run));
  out_.text("\n");
}

}  // namespace perfsift::output
