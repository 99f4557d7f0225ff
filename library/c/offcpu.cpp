#include <unordered_map>

#include "library/c/arrays.h"
#include "library/c/boundary.h"
#include "library/c/objects.h"

namespace perfsift::v0::detail {
namespace {

// Adds intervals to the columns.
class IntervalColumns {
 public:
  explicit IntervalColumns(perfsift_offcpu& columns) : columns_(columns) {
    columns_.name_starts.push_back(0);
    name("");
  }

  void add(const OffCpuInterval& interval) {
    columns_.start.push_back(interval.start);
    columns_.end.push_back(interval.end);
    columns_.blocked.push_back(interval.blocked);
    columns_.run_queue.push_back(interval.run_queue);
    columns_.unknown.push_back(interval.unknown);
    columns_.pid.push_back(interval.pid);
    columns_.tid.push_back(interval.tid);
    columns_.cpu_left.push_back(interval.cpu_left);
    columns_.cpu_entered.push_back(interval.cpu_entered);
    columns_.waker_tid.push_back(interval.waker_tid);
    columns_.complete.push_back(interval.complete ? 1 : 0);
    columns_.state.push_back(static_cast<std::uint8_t>(interval.state));
    columns_.comm.push_back(name(interval.comm));
    columns_.wait.push_back(name(interval.wait));
  }

 private:
  std::uint32_t name(std::string_view text) {
    const auto [known, is_new] = names_.try_emplace(std::string(text), static_cast<std::uint32_t>(names_.size()));
    if (is_new) {
      columns_.name_bytes += text;
      columns_.name_starts.push_back(columns_.name_bytes.size());
    }
    return known->second;
  }

  perfsift_offcpu& columns_;
  std::unordered_map<std::string, std::uint32_t> names_;
};

template <auto column>
perfsift_array get_interval_column(const perfsift_offcpu& columns) {
  return array_of(columns.*column);
}

using IntervalGetter = perfsift_array (*)(const perfsift_offcpu&);

const std::map<std::string_view, IntervalGetter>& interval_getters() {
  static const std::map<std::string_view, IntervalGetter> all = {
      {"start", get_interval_column<&perfsift_offcpu::start>},
      {"end", get_interval_column<&perfsift_offcpu::end>},
      {"blocked", get_interval_column<&perfsift_offcpu::blocked>},
      {"run_queue", get_interval_column<&perfsift_offcpu::run_queue>},
      {"unknown", get_interval_column<&perfsift_offcpu::unknown>},
      {"pid", get_interval_column<&perfsift_offcpu::pid>},
      {"tid", get_interval_column<&perfsift_offcpu::tid>},
      {"cpu_left", get_interval_column<&perfsift_offcpu::cpu_left>},
      {"cpu_entered", get_interval_column<&perfsift_offcpu::cpu_entered>},
      {"waker_tid", get_interval_column<&perfsift_offcpu::waker_tid>},
      {"complete", get_interval_column<&perfsift_offcpu::complete>},
      {"state", get_interval_column<&perfsift_offcpu::state>},
      {"comm", get_interval_column<&perfsift_offcpu::comm>},
      {"wait", get_interval_column<&perfsift_offcpu::wait>},
      {"name_starts", get_interval_column<&perfsift_offcpu::name_starts>},
      {"name_bytes", get_interval_column<&perfsift_offcpu::name_bytes>},
  };
  return all;
}

OffCpuOptions off_cpu_options(const perfsift_offcpu_options* given) {
  const perfsift_offcpu_options from = options_from(given, PERFSIFT_OFFCPU_OPTIONS_INIT);
  OffCpuOptions options;
  if (from.filter != nullptr) options.filter = Filter::of_intervals(from.filter);
  if (from.symbolizer != nullptr) options.symbolizer = object_of(from.symbolizer, "symbolizer")->symbolizer;
  options.inlines = from.no_inlines == 0;
  return options;
}

}  // namespace
}  // namespace perfsift::v0::detail

using namespace perfsift::v0::detail;

perfsift_offcpu* perfsift_offcpu_new(perfsift_recording* recording, const perfsift_offcpu_options* options,
                                     perfsift_error** error) {
  return guarded_pointer(error, [&] {
    const auto object = object_of(recording, "recording");
    perfsift_offcpu result;
    IntervalColumns columns(result);
    const perfsift::v0::OffCpu read(object->recording, off_cpu_options(options),
                                    [&](const perfsift::v0::OffCpuInterval& interval) { columns.add(interval); });
    result.folded = read.folded();
    return Handles::all().add<perfsift_offcpu>(std::move(result));
  });
}

void perfsift_offcpu_free(perfsift_offcpu* offcpu) { Handles::all().remove(offcpu); }

const char* perfsift_offcpu_folded(perfsift_offcpu* offcpu, perfsift_error** error) {
  return guarded_pointer(error, [&] { return object_of(offcpu, "offcpu")->folded.c_str(); });
}

int perfsift_offcpu_array(perfsift_offcpu* offcpu, const char* name, perfsift_array* array, perfsift_error** error) {
  return guarded(error, [&] {
    const auto object = object_of(offcpu, "offcpu");
    require(array, "array");
    *array = value_named(interval_getters(), name)(*object);
  });
}
