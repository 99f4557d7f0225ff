#include <cstdint>
#include <mutex>
#include <string>

#include "library/c/arrays.h"
#include "library/c/boundary.h"
#include "library/c/objects.h"
#include "library/c/sample_options.h"
#include "library/c/sampler_slots.h"

namespace perfsift::v0::detail {
namespace {

SamplingOptions sampling_options(const perfsift_sampling_options* given) {
  const perfsift_sampling_options from = options_from(given, PERFSIFT_SAMPLING_OPTIONS_INIT);
  SamplingOptions options;
  options.event = text_or_empty(from.event);
  options.preset = text_or_empty(from.preset);
  options.period = from.period;
  options.frequency = from.frequency;
  if (from.ring_bytes != 0) options.ring_bytes = from.ring_bytes;
  options.tid = from.tid;
  options.process = from.process != 0;
  options.callchains = from.callchains != 0;
  options.user_only = from.user_only != 0;
  options.physical_addresses = from.physical_addresses != 0;
  return options;
}

// `change`: Sampler::start or Sampler::stop.
int change(perfsift_sampler* sampler, bool (Sampler::*change)() noexcept) noexcept {
  bool changed = false;
  const bool is_sampler = SamplerSlots::all().with(sampler, [&](Sampler& found) { changed = (found.*change)(); });
  if (!is_sampler) return PERFSIFT_ERROR_USAGE;
  return changed ? PERFSIFT_OK : PERFSIFT_ERROR_UNAVAILABLE;
}

perfsift_live_sample c_sample(const LiveSample& from) {
  const MemoryAccess access = memory_access(from);
  return {.size = sizeof(perfsift_live_sample),
          .time = from.time,
          .period = from.period,
          .ip = from.ip,
          .address = from.address,
          .physical_address = from.physical_address,
          .data_source = from.data_source,
          .latency = from.latency,
          .pid = from.pid,
          .tid = from.tid,
          .cpu = from.cpu,
          .event = from.event,
          .mode = static_cast<int>(from.mode),
          .operation = static_cast<int>(access.operation),
          .level = static_cast<int>(access.level),
          .snoop = static_cast<int>(access.snoop),
          .tlb_missed = access.tlb_missed ? 1 : 0,
          .callchain = from.callchain.data(),
          .callchain_count = from.callchain.size()};
}

void add_stack(LiveColumns& columns, const LiveSample& sample) {
  columns.stack_starts.push_back(columns.stack_address.size());
  for (const Address& address : stack_addresses(sample)) {
    columns.stack_address.push_back(address.ip);
    columns.stack_mode.push_back(static_cast<std::uint8_t>(address.mode));
    columns.stack_return.push_back(address.return_address ? 1 : 0);
  }
}

void add_sample(LiveColumns& columns, const LiveSample& sample) {
  const MemoryAccess access = memory_access(sample);
  columns.time.push_back(sample.time);
  columns.period.push_back(sample.period);
  columns.ip.push_back(sample.ip);
  columns.address.push_back(sample.address);
  columns.physical_address.push_back(sample.physical_address);
  columns.data_source.push_back(sample.data_source);
  columns.latency.push_back(sample.latency);
  columns.pid.push_back(sample.pid);
  columns.tid.push_back(sample.tid);
  columns.cpu.push_back(sample.cpu);
  columns.event.push_back(sample.event);
  columns.mode.push_back(static_cast<std::uint8_t>(sample.mode));
  columns.operation.push_back(static_cast<std::uint8_t>(access.operation));
  columns.level.push_back(static_cast<std::uint8_t>(access.level));
  columns.snoop.push_back(static_cast<std::uint8_t>(access.snoop));
  columns.tlb_missed.push_back(access.tlb_missed ? 1 : 0);
  add_stack(columns, sample);
}

LiveColumns columns_of(const LiveSamples& samples) {
  LiveColumns columns;
  for (const LiveSample& sample : samples) add_sample(columns, sample);
  columns.stack_starts.push_back(columns.stack_address.size());
  return columns;
}

template <auto column>
perfsift_array get_live_column(const LiveColumns& columns) {
  return array_of(columns.*column);
}

using LiveGetter = perfsift_array (*)(const LiveColumns&);

const std::map<std::string_view, LiveGetter>& live_getters() {
  static const std::map<std::string_view, LiveGetter> all = {
      {"time", get_live_column<&LiveColumns::time>},
      {"period", get_live_column<&LiveColumns::period>},
      {"ip", get_live_column<&LiveColumns::ip>},
      {"address", get_live_column<&LiveColumns::address>},
      {"physical_address", get_live_column<&LiveColumns::physical_address>},
      {"data_source", get_live_column<&LiveColumns::data_source>},
      {"latency", get_live_column<&LiveColumns::latency>},
      {"pid", get_live_column<&LiveColumns::pid>},
      {"tid", get_live_column<&LiveColumns::tid>},
      {"cpu", get_live_column<&LiveColumns::cpu>},
      {"event", get_live_column<&LiveColumns::event>},
      {"mode", get_live_column<&LiveColumns::mode>},
      {"operation", get_live_column<&LiveColumns::operation>},
      {"level", get_live_column<&LiveColumns::level>},
      {"snoop", get_live_column<&LiveColumns::snoop>},
      {"tlb_missed", get_live_column<&LiveColumns::tlb_missed>},
      {"stack_starts", get_live_column<&LiveColumns::stack_starts>},
      {"stack_address", get_live_column<&LiveColumns::stack_address>},
      {"stack_mode", get_live_column<&LiveColumns::stack_mode>},
      {"stack_return", get_live_column<&LiveColumns::stack_return>},
  };
  return all;
}

}  // namespace
}  // namespace perfsift::v0::detail

using namespace perfsift::v0::detail;

perfsift_sampler* perfsift_sampler_new(const perfsift_sampling_options* options, perfsift_error** error) {
  return guarded_pointer(error, [&] {
    perfsift_sampler* handle =
        Handles::all().add<perfsift_sampler>(perfsift_sampler{perfsift::v0::Sampler(sampling_options(options))});
    if (SamplerSlots::all().add(handle)) return handle;
    Handles::all().remove(handle);
    throw perfsift::v0::Error(perfsift::v0::ErrorCode::usage, "1024 samplers exist: free those that are not used");
  });
}

void perfsift_sampler_free(perfsift_sampler* sampler) {
  if (SamplerSlots::all().remove(sampler)) Handles::all().remove(sampler);
}

int perfsift_sampler_start(perfsift_sampler* sampler) { return change(sampler, &perfsift::v0::Sampler::start); }
int perfsift_sampler_stop(perfsift_sampler* sampler) { return change(sampler, &perfsift::v0::Sampler::stop); }

int perfsift_sampler_is_inert(perfsift_sampler* sampler) {
  const auto object = Handles::all().find(sampler);
  return object != nullptr && object->sampler.is_inert() ? 1 : 0;
}

int perfsift_sampler_lost(perfsift_sampler* sampler, uint64_t* lost, perfsift_error** error) {
  return guarded(error, [&] {
    const auto object = object_of(sampler, "sampler");
    require(lost, "lost");
    *lost = object->sampler.lost();
  });
}

size_t perfsift_sampler_events(perfsift_sampler* sampler) {
  const auto object = Handles::all().find(sampler);
  return object != nullptr ? object->sampler.events().size() : 0;
}

int perfsift_sampler_event(perfsift_sampler* sampler, size_t index, perfsift_event* event, perfsift_error** error) {
  return guarded(error, [&] {
    const auto object = object_of(sampler, "sampler");
    const auto& events = object->sampler.events();
    require_index("event", index, events.size());
    fill_result(event, c_event(events[index]));
  });
}

const char* perfsift_sampler_choice(perfsift_sampler* sampler) {
  const auto object = Handles::all().find(sampler);
  return object != nullptr ? object->sampler.choice().c_str() : "";
}

const char* perfsift_sampler_left_out(perfsift_sampler* sampler, size_t index) {
  const auto object = Handles::all().find(sampler);
  if (object == nullptr || index >= object->sampler.left_out().size()) return nullptr;
  return object->sampler.left_out()[index].c_str();
}

perfsift_live_samples* perfsift_sampler_take(perfsift_sampler* sampler, perfsift_error** error) {
  return guarded_pointer(
      error, [&] { return Handles::all().add<perfsift_live_samples>(object_of(sampler, "sampler")->sampler.take()); });
}

void perfsift_live_samples_free(perfsift_live_samples* samples) { Handles::all().remove(samples); }

size_t perfsift_live_samples_count(perfsift_live_samples* samples) {
  const auto object = Handles::all().find(samples);
  return object != nullptr ? object->samples.size() : 0;
}

int perfsift_live_samples_get(perfsift_live_samples* samples, size_t index, perfsift_live_sample* sample,
                              perfsift_error** error) {
  return guarded(error, [&] {
    const auto object = object_of(samples, "samples");
    require_index("sample", index, object->samples.size());
    fill_result(sample, c_sample(object->samples[index]));
  });
}

int perfsift_live_samples_array(perfsift_live_samples* samples, const char* name, perfsift_array* array,
                                perfsift_error** error) {
  return guarded(error, [&] {
    const auto object = object_of(samples, "samples");
    require(array, "array");
    const LiveGetter get = value_named(live_getters(), name);
    std::call_once(object->has_columns, [&] { object->columns = columns_of(object->samples); });
    *array = get(object->columns);
  });
}

int perfsift_symbolizer_own_frames(perfsift_symbolizer* symbolizer, uint64_t address, int mode, int return_address,
                                   perfsift_frame_function visit, void* data, perfsift_error** error) {
  return guarded(error, [&] {
    const auto object = object_of(symbolizer, "symbolizer");
    require(reinterpret_cast<const void*>(visit), "visit");
    const perfsift::v0::Address wanted{.ip = address,
                                       .mode = enumerator(mode, perfsift::v0::CpuMode::guest_user, "mode"),
                                       .return_address = return_address != 0};
    for (const perfsift::v0::Frame& frame : frames_of_this_process(object->symbolizer, wanted)) {
      const perfsift_frame shown = c_frame(frame);
      visit(data, &shown);
    }
  });
}
