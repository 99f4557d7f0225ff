#include "output/offcpu/measuring_metrics.h"

#include "output/offcpu/metric_text.h"

namespace perfsift::output {

std::string measuring_metrics(const offcpu::FeedSources& sources, std::uint64_t report_time) {
  std::string text;
  if (!sources.measured) return text;
  const offcpu::MeasuringCost& cost = sources.cost;
  append_seconds(text, "recorder_cpu_seconds_total", "CPU time of the process that reads the sums.",
                 cost.recorder_time);
  append_seconds(text, "report_cpu_seconds_total", "CPU time of the process that reports.", report_time);
  if (cost.program_runs != 0) {
    append_counter(text, "program_runs_total", "Runs of the BPF programs.", cost.program_runs);
    append_seconds(text, "program_seconds_total", "Time that the BPF programs ran.", cost.program_time);
  }
  const offcpu::MeasuredLosses& losses = sources.losses;
  append_counter(text, "left_out_total", "Intervals for which the table had no room.", losses.intervals);
  append_seconds(text, "left_out_seconds_total", "Time of intervals for which the table had no room.", losses.time);
  append_counter(text, "without_thread_total", "Intervals of threads for which there was no room.", losses.threads);
  append_counter(text, "without_stack_total", "Intervals for whose stack there was no room.", losses.stacks);
  append_counter(text, "only_in_sums_total", "Intervals over the threshold that are in sums only.", losses.not_sent);
  append_counter(text, "filtered_total", "Intervals that filters left out in the kernel.", losses.filtered);
  return text;
}

}  // namespace perfsift::output
