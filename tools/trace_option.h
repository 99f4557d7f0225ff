// --itrace: which samples are made of a hardware trace.
#pragma once

#include <boost/program_options.hpp>

#include "reader/auxtrace/trace_events.h"

namespace perfsift::tools {

struct TraceOption {
  reader::TraceEvents events;  // what is made without the option

  void add_to(boost::program_options::options_description& options);
};

}  // namespace perfsift::tools
