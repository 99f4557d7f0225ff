#include "output/offcpu/wall_clock_text.h"

#include <fmt/format.h>

#include "output/offcpu/duration_text.h"

namespace perfsift::output {

std::string wall_clock_text(const offcpu::WallClockCheck& check) {
  const auto seconds = timestamp_text;
  const offcpu::ThreadTimes& times = check.times;
  return fmt::format(
      "on CPU {} s + run queue {} s + off CPU {} s + unknown {} s{} + not alive {} s = {} threads x {} s{}\n",
      seconds(times.run), seconds(times.run_queue), seconds(times.blocked), seconds(times.unknown),
      check.left_out ? " + left out by filters " + seconds(*check.left_out) + " s" : "", seconds(check.not_alive),
      check.threads, seconds(check.wall), check.holds() ? "" : ": the sums differ");
}

}  // namespace perfsift::output
