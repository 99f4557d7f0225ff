#include "output/lanes/thread_lanes.h"

#include <map>
#include <tuple>

#include <fmt/format.h>

#include "analysis/table/lane_thread.h"
#include "analysis/table/stack_node.h"
#include "output/lanes/joined_amounts.h"

namespace perfsift::output {
namespace {

using analysis::CallTree;
using analysis::SampleRow;
using analysis::SumRow;

// Threads without a number come behind the others.
using Key = std::tuple<std::size_t, std::uint32_t, std::uint32_t, std::int32_t>;

class LaneFinder {
 public:
  LaneFinder(const ExportSource& source, const CallTree& tree)
      : source_(source), tree_(tree), places_(source.profile.events().size()) {
    for (std::size_t i = 0; i < source.events.size(); ++i) places_[source.events[i]] = i;
  }

  // The samples of a lane must be added in the order of their times.
  template <typename Row>
  void add(const Row& row, std::uint64_t time, const analysis::Amount& amount) {
    const analysis::SampleContext& context = source_.table.context(row.context);
    const analysis::LaneThread thread(context, row.cpu);
    Lane& lane = lane_of(row.event, thread);
    if (row.context != SumRow::no_context) lane.comm = thread.name(context.comm);
    if (context.pid >= 0 && context.pid == context.tid) processes_[context.pid] = context.comm;
    lane.samples.push_back(
        {.time = time, .node = analysis::node_of_stack(tree_, row.stack), .cpu = row.cpu, .amount = amount});
  }

  std::vector<Lane> take() {
    std::vector<Lane> lanes;
    for (auto& [key, lane] : lanes_) {
      const auto process = processes_.find(lane.pid);
      lane.process = process == processes_.end() ? lane.comm : process->second;
      if (lane.is_of_unknown_threads()) {
        join_equal(lane.samples,
                   [](const LaneSample& sample) { return std::tuple(sample.time, sample.node, sample.cpu); });
      }
      lanes.push_back(std::move(lane));
    }
    return lanes;
  }

 private:
  Lane& lane_of(analysis::EventId event, const analysis::LaneThread& thread) {
    if (last_ != nullptr && last_event_ == event && last_thread_ == thread) return *last_;
    const auto [known, is_new] = lanes_.try_emplace(Key(places_[event], static_cast<std::uint32_t>(thread.pid),
                                                        static_cast<std::uint32_t>(thread.tid), thread.idle_cpu));
    if (is_new)
      known->second = {.event = event, .pid = thread.pid, .tid = thread.tid, .comm = {}, .process = {}, .samples = {}};
    last_event_ = event;
    last_thread_ = thread;
    return *(last_ = &known->second);
  }

  const ExportSource& source_;
  const CallTree& tree_;
  std::vector<std::size_t> places_;  // places of events in the order of the source
  std::map<Key, Lane> lanes_;
  std::map<std::int32_t, std::string> processes_;  // names by PID
  Lane* last_ = nullptr;
  analysis::EventId last_event_ = 0;
  analysis::LaneThread last_thread_{{}, -1};
};

}  // namespace

std::string Lane::name(const ExportSource& source) const {
  std::string name = comm.empty() ? source.title : comm;
  if (pid >= 0)
    name = fmt::format("{} {}/{}", comm, pid, tid);
  else if (tid >= 0)
    name = fmt::format("{} {}", comm, tid);
  if (source.events.size() > 1) name += ", " + source.profile.events()[event];
  return name;
}

std::vector<Lane> thread_lanes(const ExportSource& source, const analysis::CallTree& tree) {
  LaneFinder finder(source, tree);
  for (const SampleRow& sample : source.table.samples())
    finder.add(sample, sample.time, {.samples = 1, .value = sample.value});
  for (const SumRow& sum : source.table.sums()) finder.add(sum, reader::no_time, sum.amount);
  return finder.take();
}

}  // namespace perfsift::output
