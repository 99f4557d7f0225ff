#include "reader/sample_delivery.h"

namespace perfsift::reader {

bool SampleDelivery::take_counter(const ReadValue& value) {
  const bool has_id = (sample_.event->attr.read_format & read_format::id) != 0;
  if (has_id) {
    const Event* event = events_.find(value.id);
    if (event == nullptr) return ++counts_.unknown_ids, false;
    sample_.event = event;
    sample_.id = value.id;
  }
  std::uint64_t& last = last_values_[sample_.id];
  sample_.period = value.value - last;
  last = value.value;
  return sample_.period != 0;
}

}  // namespace perfsift::reader
