// Which parts of what `perfsift info` knows are shown.
#pragma once

namespace perfsift::output {

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

}  // namespace perfsift::output
