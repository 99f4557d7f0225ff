#include "output/info/sections.h"

namespace perfsift::output {

Sections Sections::everything() {
  return {
      .header = true, .events = true, .stats = true, .losses = true, .processes = true, .cpus = true, .quality = true};
}

}  // namespace perfsift::output
