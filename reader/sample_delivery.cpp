#include "reader/sample_delivery.h"

namespace perfsift::reader {

bool SampleDelivery::take_identity(std::uint64_t id) {
  const Event* event = events_.find(id);
  if (event == nullptr) return ++counts_.unknown_ids, false;
  sample_.event = event;
  sample_.id = id;
  return true;
}

bool SampleDelivery::take_value(std::uint64_t value) {
  std::uint64_t& last = last_values_[sample_.id];
  sample_.period = value - last;
  last = value;
  return sample_.period != 0;
}

}  // namespace perfsift::reader
