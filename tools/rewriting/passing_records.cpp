#include "tools/rewriting/passing_records.h"

#include <algorithm>

namespace perfsift::tools {

using reader::RecordType;

bool is_passing(RecordType type) {
  switch (type) {
    case RecordType::lost:
    case RecordType::throttle:
    case RecordType::unthrottle:
    case RecordType::read:
    case RecordType::lost_samples:
      return true;
    default:
      return is_switch(type);
  }
}

bool is_switch(RecordType type) { return type == RecordType::switch_ || type == RecordType::switch_cpu_wide; }

SwitchingThread switching_thread(const reader::SampleId& id) { return {id.tid, id.tid > 0 ? -1 : id.cpu}; }

void BorderSwitches::look(const reader::Record& record, const reader::SampleId& id) {
  if (id.time == reader::no_time) return;
  std::vector<State>& states = threads_[switching_thread(id)];
  states.resize(parts_.size());
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    State& state = states[part];
    if (const filter::TimeRange* range = filter::range_around(*parts_[part], id.time)) {
      if (state.was_outside && state.time < range->from) found_[part].push_back(state.position);
      state.was_outside = false;
      state.inside = true;
      continue;
    }
    if (state.inside) found_[part].push_back(record.position);
    state = {.time = id.time, .position = record.position, .was_outside = true, .inside = false};
  }
}

std::vector<std::vector<std::uint64_t>> BorderSwitches::take() {
  for (std::vector<std::uint64_t>& positions : found_) {
    std::ranges::sort(positions);
    positions.erase(std::ranges::unique(positions).begin(), positions.end());
  }
  return std::move(found_);
}

}  // namespace perfsift::tools
