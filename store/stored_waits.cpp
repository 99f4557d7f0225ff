#include "store/stored_waits.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text_numbers.h"
#include "store/engine/row_binary.h"
#include "store/stack_reader.h"
#include "store/wait_rows.h"
#include "store/wanted_rows.h"

namespace perfsift::store {
namespace {

class WaitReader {
 public:
  WaitReader(Engine& engine, const Selection& selection, analysis::FrameTable& frames,
             const analysis::FrameStyle& style)
      : engine_(engine), selection_(selection), style_(style), stored_stacks_(engine, frames, style) {
    waits_.frames = &frames;
  }

  offcpu::SummedWaits read() {
    for (const std::string& rows : read_sums()) {
      for (RowReader row(rows); !row.at_end();) waits_.sums.push_back(sum_in(row));
    }
    read_stacks();
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
    sum.stack = number_of(row.id());
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

  std::uint32_t number_of(const Hash128& stack) {
    const auto [known, is_new] = numbers_.try_emplace(stack, static_cast<std::uint32_t>(ids_.size()));
    if (is_new) ids_.push_back(stack);
    return known->second;
  }

  void read_stacks() {
    std::vector<Hash128> sorted = ids_;
    std::ranges::sort(sorted, {}, in_table);
    stored_stacks_.read(sorted, wanted_stacks("waits", selection_), selection_.parameters());
    for (const Hash128& id : ids_) {
      std::vector<analysis::FrameId>& frames = waits_.stacks.emplace_back();
      for (const StackReader::Function* const function : stored_stacks_.functions_of(id)) {
        if (!function->inlined || style_.inlines) frames.push_back(function->frame);
      }
    }
  }

  Engine& engine_;
  const Selection& selection_;
  const analysis::FrameStyle& style_;
  StackReader stored_stacks_;
  offcpu::SummedWaits waits_;
  TextNumbers threads_, cgroups_;
  std::map<Hash128, std::uint32_t> numbers_;
  std::vector<Hash128> ids_;
};

}  // namespace

offcpu::SummedWaits read_waits(Engine& engine, const Selection& selection, analysis::FrameTable& frames,
                            const analysis::FrameStyle& style) {
  return WaitReader(engine, selection, frames, style).read();
}

}  // namespace perfsift::store
