#include "store/stored_waits.h"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text_numbers.h"
#include "store/engine/row_binary.h"
#include "store/numbered_stacks.h"
#include "store/wait_rows.h"
#include "store/wanted_rows.h"

namespace perfsift::store {
namespace {

class WaitReader {
 public:
  WaitReader(Engine& engine, const Selection& selection, analysis::FrameTable& frames,
             const analysis::FrameStyle& style)
      : engine_(engine), selection_(selection), frames_(frames), style_(style) {
    waits_.frames = &frames;
  }

  offcpu::SummedWaits read() {
    for (const std::string& rows : read_sums()) {
      for (RowReader row(rows); !row.at_end();) waits_.sums.push_back(sum_in(row));
    }
    waits_.stacks = stacks_.read(engine_, "waits", selection_, frames_, style_);
    waits_.threads = threads_.take();
    waits_.cgroups = cgroups_.take();
    return std::move(waits_);
  }

 private:
  std::vector<std::string> read_sums() {
    return engine_.query_shards(
        fmt::format("SELECT {0}, sum(toUInt128(intervals)), sum(toUInt128(blocked)), sum(toUInt128(run_queue)), "
                    "sum(toUInt128(unknown)), max(longest) FROM waits WHERE {1} GROUP BY {0} ORDER BY {0}",
                    "stack, thread, cgroup, wait, state, cut, woken, blocked_bucket, run_queue_bucket",
                    wanted_samples(selection_)),
        selection_.parameters());
  }

  offcpu::SummedWait sum_in(RowReader& row) {
    offcpu::SummedWait sum;
    sum.stack = stacks_.number_of(row.id());
    sum.thread = threads_.of(row.text());
    sum.cgroup = cgroups_.of(row.text());
    sum.kinds = kinds_of_words(row.text());
    sum.state = offcpu::TaskState::named(row.text());
    sum.cut = offcpu::known_cut(row.text());
    sum.woken = row.boolean();
    sum.blocked_bucket = row.u32();
    sum.run_queue_bucket = row.u32();
    sum.sums.count = small_sum(row);
    sum.sums.blocked = small_sum(row);
    sum.sums.run_queue = small_sum(row);
    sum.sums.unknown = small_sum(row);
    sum.sums.longest = row.u64();
    return sum;
  }

  Engine& engine_;
  const Selection& selection_;
  analysis::FrameTable& frames_;
  const analysis::FrameStyle& style_;
  NumberedStacks stacks_;
  offcpu::SummedWaits waits_;
  TextNumbers threads_, cgroups_;
};

}  // namespace

offcpu::SummedWaits read_waits(Engine& engine, const Selection& selection, analysis::FrameTable& frames,
                               const analysis::FrameStyle& style) {
  return WaitReader(engine, selection, frames, style).read();
}

}  // namespace perfsift::store
