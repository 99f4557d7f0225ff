// Which parts of what `perfsift info` knows are shown.
#pragma once

#include <boost/program_options.hpp>

namespace perfsift::tools {

struct Sections {
  bool header = false;
  bool events = false;
  bool stats = false;
  bool losses = false;
  bool processes = false;
  bool cpus = false;
  bool quality = false;
  bool brief = false;  // nothing was asked for by name: all, but long lists are cut short

  static Sections everything();
};

struct SectionOptions {
  Sections asked;
  bool all = false;
  bool no_quality = false;

  void add_to(boost::program_options::options_description& options);
  // What was asked for; where that is nothing, everything, and brief. Throws UsageError when the quality is both asked
  // for and not wanted.
  Sections chosen() const;
};

}  // namespace perfsift::tools
