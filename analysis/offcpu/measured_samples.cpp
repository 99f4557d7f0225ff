#include "analysis/offcpu/measured_samples.h"

#include <algorithm>

namespace perfsift::offcpu {

std::optional<std::vector<std::uint64_t>> MeasuredLayout::read(Bytes raw) const {
  std::vector<std::uint64_t> values;
  for (const RawField& field : fields) {
    const auto value = field.read(raw);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

std::optional<MeasuredLayout> measured_layout(const reader::TracepointFormat& format, ByteOrder order) {
  if (format.system != reader::measured_waits_system) return std::nullopt;
  const auto known = std::ranges::find(reader::measured_tracepoints, format.name, &reader::MeasuredTracepoint::name);
  if (known == reader::measured_tracepoints.end()) return std::nullopt;
  MeasuredLayout layout{.tracepoint = *known, .fields = {}};
  for (const reader::MeasuredField& field : (*known)->fields) {
    const reader::TracepointField* const found = format.find(field.name);
    layout.fields.push_back(found == nullptr ? RawField()
                                             : RawField(found->offset, found->size, found->is_signed, order));
  }
  return layout;
}

MeasuredWaits measured_waits(const std::vector<std::uint64_t>& values) {
  namespace wait = reader::measured_wait;
  const auto number = [&](wait::Field field) { return static_cast<std::int32_t>(values[field]); };
  const std::uint64_t flags = values[wait::flags];
  MeasuredWaits waits;
  waits.last = values[wait::last];
  waits.thread_start = values[wait::thread_start];
  waits.state = TaskState(static_cast<std::uint32_t>(values[wait::state]));
  waits.count = (flags & wait::no_wait) != 0 ? 0 : values[wait::count];
  waits.blocked = values[wait::blocked];
  waits.run_queue = values[wait::run_queue];
  waits.longest = values[wait::longest];
  waits.longest_run_queue = values[wait::longest_run_queue];
  waits.ran = values[wait::ran];
  waits.unknown = values[wait::unknown];
  waits.woken = (flags & wait::woken) != 0;
  waits.began_before = (flags & wait::began_before) != 0;
  waits.goes_on = (flags & wait::goes_on) != 0;
  waits.single = (flags & wait::single) != 0;
  waits.cpu_left = number(wait::cpu_left);
  waits.cpu_entered = number(wait::cpu_entered);
  waits.cgroup = values[wait::cgroup];
  return waits;
}

MeasuredLosses measured_losses(const std::vector<std::uint64_t>& values) {
  namespace table = reader::measured_table;
  return {.intervals = values[table::left_out],
          .time = values[table::left_out_time],
          .threads = values[table::without_thread],
          .stacks = values[table::without_stack],
          .not_sent = values[table::not_sent],
          .filtered = values[table::filtered]};
}

MeasuringCost measuring_cost(const std::vector<std::uint64_t>& values) {
  namespace table = reader::measured_table;
  return {.recorder_time = values[table::recorder_time],
          .program_runs = values[table::program_runs],
          .program_time = values[table::program_time],
          .attach_time = values[table::attach_time]};
}

}  // namespace perfsift::offcpu
