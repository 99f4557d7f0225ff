#include "output/offcpu/spike_text.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/printable.h"
#include "output/offcpu/duration_text.h"

namespace perfsift::output {
namespace {

constexpr std::size_t most_shown = 5;  // threads that ran meanwhile, and stacks of samples

const char* what_is_missing(const offcpu::Interval& interval) {
  if (interval.unknown != 0) return ", records were lost meanwhile";
  if (interval.began_before) return ", since before the recording began";
  if (interval.goes_on) return ", and still is at the end of the recording";
  return "";
}

void write_stack(std::string_view title, offcpu::StackId stack, offcpu::Names& names, TextWriter& out) {
  const std::string frames = names.leaf_first(stack, " < ");
  if (!frames.empty()) out.format("  {}: {}\n", title, frames);
}

void write_waker(const offcpu::Interval& interval, offcpu::Names& names, TextWriter& out) {
  if (interval.waker.thread == offcpu::no_thread) return;
  out.format("  woken {} after its start by {} on cpu {}\n", duration_text(interval.blocked),
             names.thread(interval.waker.thread), interval.waker.cpu);
  write_stack("  there on", interval.waker.stack, names, out);
}

void write_meanwhile(const offcpu::Spike& spike, offcpu::Names& names, TextWriter& out) {
  if (spike.interval.successor != offcpu::no_thread) {
    out.format("  its CPU went to {}\n", names.thread(spike.interval.successor));
  }
  const auto& ran = spike.meanwhile;
  if (ran.empty()) return;
  out.format("  cpu {} meanwhile:", spike.interval.cpu_left);
  for (std::size_t i = 0; i < std::min(ran.size(), most_shown); ++i) {
    out.format("{} {} {}", i == 0 ? "" : ",", names.thread(ran[i].thread), duration_text(ran[i].time));
  }
  if (ran.size() > most_shown) out.format(" and {} more", ran.size() - most_shown);
  out.text("\n");
}

void write_samples(const offcpu::Spike& spike, offcpu::Names& names, TextWriter& out) {
  const auto& samples = spike.samples;
  for (std::size_t i = 0; i < std::min(samples.size(), most_shown); ++i) {
    out.format("  {} samples of {}: {}: {}\n", samples[i].count, printable(samples[i].event->name),
               names.comm_of_stack(samples[i].stack), names.leaf_first(samples[i].stack, " < "));
  }
  if (samples.size() > most_shown) out.format("  and samples of {} more stacks\n", samples.size() - most_shown);
}

}  // namespace

void write_spike(const offcpu::Spike& spike, offcpu::Names& names, offcpu::WaitKinds& waits, TextWriter& out) {
  const offcpu::Interval& interval = spike.interval;
  out.format("{} {} off its CPU for {}: blocked {}, run queue {}{}\n", timestamp_text(interval.start),
             names.thread(interval.thread), duration_text(interval.length()), duration_text(interval.blocked),
             duration_text(interval.run_queue), what_is_missing(interval));
  out.format("  {} ({}), cpu {} to {}\n", interval.state.name(), interval.state.letter(), interval.cpu_left,
             interval.cpu_entered);
  const std::uint64_t kinds = interval.state.is_runnable() ? 0 : waits.of(interval);
  if (kinds != 0 && kinds != filter::wait_other) out.format("  waiting in: {}\n", filter::wait_name(kinds));
  write_stack(interval.origin == offcpu::StackOrigin::last_sample ? "last sampled on" : "left on", interval.stack,
              names, out);
  write_waker(interval, names, out);
  write_meanwhile(spike, names, out);
  write_samples(spike, names, out);
  out.text("\n");
}

}  // namespace perfsift::output
