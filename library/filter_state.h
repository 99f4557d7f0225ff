// The contents of a Filter.
#pragma once

#include <string>

#include "filter/filter.h"

namespace perfsift::v0::detail {

struct FilterState {
  std::string text;
  filter::Subject subject = filter::Subject::sample;
  filter::Filter filter;
};

}  // namespace perfsift::v0::detail
