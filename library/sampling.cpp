#include <optional>
#include <utility>

#include <dirent.h>
#include <fmt/format.h>
#include <perfsift/sampling.h>
#include <unistd.h>

#include "base/error.h"
#include "library/access.h"
#include "library/public_event.h"
#include "library/sampler_state.h"
#include "library/translated.h"
#include "record/preset.h"

namespace perfsift::v0 {
namespace detail {
namespace {

namespace flag = reader::attr_flag;

// Others' threads are refused, because samples of this process are named by the addresses of this process.
std::optional<std::int32_t> sampled_thread(const SamplingOptions& options) {
  if (options.process && options.tid != 0) throw UsageError("a thread, or the whole process: not both");
  if (options.process) return std::nullopt;
  if (options.tid == 0) return static_cast<std::int32_t>(gettid());
  if (options.tid < 0 || access(fmt::format("/proc/self/task/{}", options.tid).c_str(), F_OK) != 0) {
    throw UsageError(fmt::format("thread {}: this process has no such thread", options.tid));
  }
  return options.tid;
}

void leave_out_kernel(record::EventRequest& event) {
  if (event.attr.exclude_user()) {
    throw UsageError(fmt::format("event '{}' is of the kernel alone, which user_only leaves out", event.name));
  }
  event.attr.set(flag::exclude_kernel);
  event.attr.set(flag::exclude_hv);
}

void set_content(const SamplingOptions& options, record::SampleContent& content) {
  if (options.period != 0 && options.frequency != 0) throw UsageError("a period, or a frequency: not both");
  if (options.period != 0) content.period = options.period;
  if (options.frequency != 0) content.frequency = options.frequency, content.period.reset();
  content.call_graph = options.callchains ? record::CallGraph::frame_pointers : record::CallGraph::none;
  content.kernel_callchains = !options.user_only;
  content.addresses = content.weight = content.cpu = true;
  content.physical_addresses = options.physical_addresses;
  content.raw = false;
}

std::shared_ptr<SamplerState> make_sampler(const SamplingOptions& options) {
  if (!options.event.empty() && !options.preset.empty()) throw UsageError("an event, or a preset: not both");
  const record::EventSources sources;
  record::SamplerPlan plan;
  plan.thread = sampled_thread(options);
  plan.ring_bytes = options.ring_bytes;
  std::string events = options.event, choice;
  if (events.empty()) {
    const auto preset = record::preset_named(options.preset.empty() ? "cpu" : options.preset);
    const record::PresetChoice chosen = record::choose_preset(preset, sources);
    events = chosen.events, choice = chosen.reason, plan.content = chosen.content;
  }
  set_content(options, plan.content);
  plan.events = record::parse_events(events, sources);
  if (options.user_only) {
    for (record::EventRequest& event : plan.events) leave_out_kernel(event);
  }
  return std::make_shared<SamplerState>(plan, std::move(choice));
}

}  // namespace

SamplerState::SamplerState(const record::SamplerPlan& plan, std::string chosen)
    : sampler(plan), choice(std::move(chosen)) {
  for (const record::SessionEvent& opened : sampler.events()) {
    reader::Event& layout = layouts.emplace_back();
    layout.index = static_cast<std::uint32_t>(events.size());
    layout.attr = opened.attr;
    layout.name = opened.name;
    events.push_back(public_event(layout));
  }
  for (const record::OpenCounter& open : sampler.counters()) {
    event_of_id.emplace(open.counter.id(), static_cast<std::uint32_t>(open.event));
  }
}

}  // namespace detail

Sampler::Sampler(const SamplingOptions& options)
    : state_(detail::available([&] { return detail::make_sampler(options); })) {}
Sampler::Sampler(const Sampler&) = default;
Sampler& Sampler::operator=(const Sampler&) = default;
Sampler::~Sampler() = default;

bool Sampler::start() noexcept { return state_->sampler.start(); }
bool Sampler::stop() noexcept { return state_->sampler.stop(); }
bool Sampler::is_inert() const noexcept { return state_->sampler.is_inert(); }

LiveSamples Sampler::take() {
  return detail::translated([&] {
    return detail::Access::live_samples(
        std::make_shared<const detail::LiveSamplesState>(detail::take_samples(*state_)));
  });
}
std::uint64_t Sampler::lost() const {
  return detail::translated([&] { return state_->sampler.lost(); });
}

const std::vector<Event>& Sampler::events() const noexcept { return state_->events; }
const std::string& Sampler::choice() const noexcept { return state_->choice; }
const std::vector<std::string>& Sampler::left_out() const noexcept { return state_->sampler.left_out(); }

}  // namespace perfsift::v0
