// The options of `perfsift info` that choose what is shown.
#pragma once

#include <boost/program_options.hpp>

#include "output/info/sections.h"

namespace perfsift::tools {

struct SectionOptions {
  output::Sections asked;
  bool all = false;
  bool no_quality = false;

  void add_to(boost::program_options::options_description& options);
  // What was asked for; where that is nothing, everything, and brief. Throws UsageError when the quality is both asked
  // for and not wanted.
  output::Sections chosen() const;
};

}  // namespace perfsift::tools
