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
  // The sections given by options; without such options, all sections in brief. Throws UsageError if the options both
  // ask for the quality and leave it out.
  output::Sections chosen() const;
};

}  // namespace perfsift::tools
