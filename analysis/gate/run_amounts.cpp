#include "analysis/gate/run_amounts.h"

#include <optional>
#include <vector>

#include "analysis/gate/run.h"

namespace perfsift::analysis {
namespace {

class RunAppender {
 public:
  RunAppender(const InputSamples& samples, const RunPlace& place, SampleLog& to)
      : samples_(samples), place_(place), to_(to), context_(to.context({})) {}

  void append_all() const {
    append_samples();
    for (const LoggedAmount& sum : samples_.log.amounts()) append_sum(sum);
    if (samples_.log.samples().empty() && samples_.log.amounts().empty()) append_lists();
  }

 private:
  void append_samples() const {
    const std::span<const LoggedSample> all = samples_.log.samples();
    std::vector<std::optional<TimeBlocks>> times(samples_.profile.events().size());
    for (const LoggedSample& sample : all) {
      if (!times[sample.event]) times[sample.event] = time_blocks(all, sample.event);
      const bool timed = sample.time != reader::no_time;
      append({.amount = {.samples = 1, .value = sample.value},
              .stack = sample.stack,
              .event = sample.event & no_more_bits,
              .run = place_.run,
              .block = timed ? times[sample.event]->block_of(sample.time) : 0});
    }
  }

  void append_sum(LoggedAmount sum) const {
    const bool stored = sum.run != LoggedAmount::no_run;
    sum.run = stored && !place_.one_run ? place_.run + sum.run : place_.run;
    append(sum);
  }

  void append_lists() const {
    for (std::size_t list = samples_.first_list; list < samples_.end_list; ++list) {
      std::uint32_t stack = samples_.profile.first_stack(list);
      for (const StackList::Entry& entry : samples_.profile.lists()[list].entries()) {
        const EventId event = samples_.profile.callers(entry.callers).event;
        append({.amount = entry.amount, .stack = stack++, .event = event & no_more_bits, .run = place_.run});
      }
    }
  }

  void append(LoggedAmount amount) const {
    amount.context = context_;
    amount.cpu = -1;
    amount.mode = 0;
    if (place_.all_parts > 1) amount.block = (place_.part * TimeBlocks::count + amount.block) / place_.all_parts;
    to_.append(amount);
  }

  static constexpr std::uint32_t no_more_bits = (1u << 24) - 1;  // of LoggedAmount::event

  const InputSamples& samples_;
  const RunPlace& place_;
  SampleLog& to_;
  const std::uint32_t context_;
};

}  // namespace

void append_run(const InputSamples& samples, const RunPlace& place, SampleLog& to) {
  RunAppender(samples, place, to).append_all();
}

}  // namespace perfsift::analysis
