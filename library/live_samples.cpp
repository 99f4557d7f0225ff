#include <algorithm>
#include <utility>

#include "library/access.h"
#include "library/sampler_state.h"
#include "library/translated.h"
#include "reader/callchain.h"
#include "reader/format/sample.h"

namespace perfsift::v0 {
namespace detail {
namespace {

LiveSample live_sample(const reader::Sample& from) {
  LiveSample sample;
  sample.time = from.time;
  sample.period = from.period;
  sample.ip = from.ip;
  sample.address = from.addr;
  sample.physical_address = from.phys_addr;
  sample.data_source = from.has(reader::sample_bit::data_src) ? from.data_src : 0;
  sample.latency = from.weight;
  sample.pid = from.pid, sample.tid = from.tid, sample.cpu = from.cpu;
  sample.event = from.event->index;
  sample.mode = static_cast<CpuMode>(from.cpumode);
  // The copy begins each record at a word, and all fields before the callchain are words.
  sample.callchain = {reinterpret_cast<const std::uint64_t*>(from.callchain.data()), from.callchain.size()};
  return sample;
}

// Several events of one program may see the same page fault or the same hit of a tracepoint. do_perf_sw_event() in
// kernel/events/core.c then gives all of them one perf_sample_data, and perf_prepare_sample() fills the id in for the
// first event only: the sample of the second has the id of the first, which may be of another sampler. All events of a
// sampler have the same layout, so such a sample is decoded as one of the first event that can be meant.
const reader::Event& event_of(const SamplerState& state, std::uint64_t id) {
  if (const auto known = state.event_of_id.find(id); known != state.event_of_id.end()) {
    return state.layouts[known->second];
  }
  const auto shares_samples = [](const reader::Event& event) {
    constexpr std::uint64_t last_clock = 1;  // PERF_COUNT_SW_TASK_CLOCK: clocks are timers of one event
    return event.attr.type == reader::event_type::tracepoint ||
           (event.attr.type == reader::event_type::software && event.attr.config > last_clock);
  };
  const auto meant = std::ranges::find_if(state.layouts, shares_samples);
  return meant != state.layouts.end() ? *meant : state.layouts.front();
}

}  // namespace

LiveSamplesState take_samples(SamplerState& state) {
  LiveSamplesState result;
  state.sampler.drain(result.records);
  reader::SampleDecoder decoder;
  reader::Sample sample;
  result.records.for_each([&](Bytes bytes) {
    const reader::Record record = record::record_in(bytes);
    const reader::Event& event = event_of(state, record.reader().u64());  // PERF_SAMPLE_IDENTIFIER
    if (decoder.decode(record, event, sample)) result.samples.push_back(live_sample(sample));
  });
  std::ranges::stable_sort(result.samples, {}, &LiveSample::time);
  return result;
}

}  // namespace detail

LiveSamples::LiveSamples(std::shared_ptr<const detail::LiveSamplesState> state) : state_(std::move(state)) {}
LiveSamples::LiveSamples(const LiveSamples&) = default;
LiveSamples& LiveSamples::operator=(const LiveSamples&) = default;
LiveSamples::~LiveSamples() = default;

std::span<const LiveSample> LiveSamples::samples() const noexcept { return state_->samples; }

std::vector<Address> stack_addresses(const LiveSample& sample) {
  return detail::translated([&] {
    std::vector<Address> addresses;
    reader::for_each_frame(reader::words_in(sample.callchain), static_cast<reader::CpuMode>(sample.mode),
                           [&](reader::CpuMode mode, std::uint64_t ip, bool return_address) {
                             addresses.push_back({ip, static_cast<CpuMode>(mode), return_address});
                           });
    if (addresses.empty()) addresses.push_back({sample.ip, sample.mode, false});
    return addresses;
  });
}

}  // namespace perfsift::v0
