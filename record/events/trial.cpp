#include "record/events/trial.h"

#include <cerrno>

#include "reader/format/abi.h"

namespace perfsift::record {

namespace flag = reader::attr_flag;

int try_to_open(const reader::EventAttr& attr, const CounterPlace& place) {
  Counter::Refused refused;
  return Counter::open(attr, place, refused) ? 0 : refused.error;
}

reader::EventAttr trial_attr(const EventRequest& event) {
  reader::EventAttr attr = event.attr;
  attr.set(flag::disabled);
  if (attr.type == reader::event_type::tracepoint) attr.sample_type |= reader::sample_bit::raw;
  return attr;
}

bool leave_out_kernel(reader::EventAttr& attr) {
  if (attr.exclude_kernel() || attr.exclude_user() || attr.type == reader::event_type::tracepoint) return false;
  attr.set(flag::exclude_kernel);
  attr.set(flag::exclude_hv);
  return true;
}

bool can_open(const EventRequest& event, const OpenTrial& open) {
  reader::EventAttr attr = trial_attr(event);
  const int error = open(attr, this_thread);
  if (error == 0) return true;
  const bool forbidden = error == EACCES || error == EPERM;
  return forbidden && leave_out_kernel(attr) && open(attr, this_thread) == 0;
}

}  // namespace perfsift::record
