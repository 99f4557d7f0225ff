#include "analysis/gate/run_amounts.h"

#include <optional>
#include <vector>

#include "analysis/gate/run.h"

namespace perfsift::analysis {
namespace {

class RunAppender {
 public:
  RunAppender(const SampleTable& table, const RunPlace& place, TableBuilder& to)
      : table_(table), place_(place), to_(to), context_(to.context({})) {}

  void append_all() const {
    append_samples();
    for (const SumRow& sum : table_.sums()) append_sum(sum);
  }

 private:
  void append_samples() const {
    std::vector<std::optional<TimeBlocks>> times;  // by event
    for (const SampleRow& sample : table_.samples()) {
      if (sample.event >= times.size()) times.resize(sample.event + 1);
      std::optional<TimeBlocks>& blocks = times[sample.event];
      if (!blocks) blocks = time_blocks(table_.samples(), sample.event);
      const bool timed = sample.time != reader::no_time;
      append({.amount = {.samples = 1, .value = sample.value},
              .stack = sample.stack,
              .event = sample.event & SumRow::event_bits,
              .run = place_.run,
              .block = timed ? blocks->block_of(sample.time) : 0});
    }
  }

  void append_sum(SumRow sum) const {
    const bool stored = sum.run != SumRow::no_run;
    sum.run = stored && !place_.one_run ? place_.run + sum.run : place_.run;
    append(sum);
  }

  void append(SumRow sum) const {
    sum.context = context_;
    sum.cpu = -1;
    sum.mode = 0;
    if (place_.all_parts > 1) sum.block = (place_.part * TimeBlocks::count + sum.block) / place_.all_parts;
    to_.append(sum);
  }

  const SampleTable& table_;
  const RunPlace& place_;
  TableBuilder& to_;
  const std::uint32_t context_;
};

}  // namespace

void append_run(const SampleTable& table, const RunPlace& place, TableBuilder& to) {
  RunAppender(table, place, to).append_all();
}

}  // namespace perfsift::analysis
