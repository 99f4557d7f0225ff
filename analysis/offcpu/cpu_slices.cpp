#include "analysis/offcpu/cpu_slices.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "analysis/offcpu/sched_tracepoint.h"
#include "reader/records/process.h"

namespace perfsift::offcpu {
namespace {

// The places of both threads in sched_switch; nothing for other events.
std::optional<SchedLayout> switch_layout(const reader::Recording& recording, const reader::Event& event) {
  const reader::TracepointFormats* formats = recording.tracepoints();
  const reader::TracepointFormat* format = formats == nullptr ? nullptr : formats->find(event.tracepoint_id());
  if (format == nullptr || format->system != "sched") return std::nullopt;
  const SchedTracepoint* tracepoint = find_sched_tracepoint(format->name);
  if (tracepoint == nullptr || tracepoint->kind != SchedKind::switch_) return std::nullopt;
  const auto field = [&](std::string_view name) {
    const reader::TracepointField* found = format->find(name);
    return found == nullptr ? RawField() : RawField(found->offset, found->size, found->is_signed, formats->order());
  };
  return SchedLayout{.subject = field(tracepoint->subject), .value = {}, .other = field(tracepoint->other)};
}

class SliceCollector : public reader::OrderedVisitor {
 public:
  explicit SliceCollector(const reader::Recording& recording) : recording_(recording) {
    for (const auto& event : recording.events()) {
      if (auto layout = switch_layout(recording, *event)) layouts_.emplace(event.get(), *layout);
    }
  }

  void sample(const reader::Sample& sample) override {
    const auto layout = layouts_.find(sample.event);
    SchedEvent event;
    if (layout == layouts_.end() || sample.cpu < 0 || !layout->second.read(sample.raw, event)) return;
    leave(sample.cpu, event.subject, sample.moment.time);
    enter(sample.cpu, -1, event.other, sample.moment);
  }

  void record(const reader::Record& record, const reader::SampleId& id, reader::Moment moment) override {
    const reader::RecordType type = record.header.type;
    if (!layouts_.empty() || id.cpu < 0 || id.time == reader::no_time) return;
    if (type != reader::RecordType::switch_ && type != reader::RecordType::switch_cpu_wide) return;
    const auto event = reader::decode_switch(record);
    if (!event) return;
    if (event->out) {
      leave(id.cpu, id.tid, moment.time);
    } else {
      enter(id.cpu, id.pid, id.tid, moment);
    }
  }

  std::vector<CpuSlice> take() {
    const auto key = [](const CpuSlice& slice) { return std::tuple(slice.cpu, slice.from); };
    std::ranges::stable_sort(slices_, {}, key);
    return std::move(slices_);
  }

 private:
  void enter(std::int32_t cpu, std::int32_t pid, std::int32_t tid, reader::Moment moment) {
    running_.erase(cpu);
    if (tid <= 0) return;
    const reader::ThreadState state = recording_.timeline().thread(pid, tid, moment);
    running_[cpu] = {.cpu = cpu,
                     .pid = pid >= 0 ? pid : state.pid,
                     .tid = tid,
                     .comm = recording_.timeline().comm(tid, state),
                     .from = moment.time};
  }

  // The thread that leaves must be the one that came: between them, switches may be lost.
  void leave(std::int32_t cpu, std::int32_t tid, std::uint64_t time) {
    const auto running = running_.find(cpu);
    if (running == running_.end()) return;
    if (running->second.tid == tid && time >= running->second.from) {
      running->second.until = time;
      slices_.push_back(std::move(running->second));
    }
    running_.erase(running);
  }

  const reader::Recording& recording_;
  std::map<const reader::Event*, SchedLayout> layouts_;
  std::map<std::int32_t, CpuSlice> running_;  // by CPU
  std::vector<CpuSlice> slices_;
};

}  // namespace

bool has_switches(const reader::Recording& recording) {
  return std::ranges::any_of(recording.events(), [&](const auto& event) {
    return event->attr.context_switch() || switch_layout(recording, *event).has_value();
  });
}

std::vector<CpuSlice> cpu_slices(reader::Recording& recording) {
  if (!has_switches(recording)) return {};
  SliceCollector collector(recording);
  recording.visit_in_order(collector);
  return collector.take();
}

}  // namespace perfsift::offcpu
