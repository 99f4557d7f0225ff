// The sections that `perfsift info` shows.
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
  bool brief = false;  // no section was named: all sections, with long lists cut short

  static Sections everything();
};

}  // namespace perfsift::output
