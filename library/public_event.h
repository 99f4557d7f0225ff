// An event as users see it.
#pragma once

#include <perfsift/sample.h>

#include "reader/format/event.h"

namespace perfsift::v0::detail {

inline Event public_event(const reader::Event& event) {
  const reader::EventAttr& attr = event.attr;
  return {.index = event.index,
          .name = event.name,
          .type = attr.type,
          .config = attr.config,
          .period = attr.freq() ? 0 : attr.sample_period,
          .frequency = attr.freq() ? attr.sample_period : 0,
          .sample_type = attr.sample_type,
          .has_callchain = event.has_callchain()};
}

}  // namespace perfsift::v0::detail
