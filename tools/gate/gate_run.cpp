#include "tools/gate/gate_run.h"

namespace perfsift::tools {

analysis::Run run_of(const InputReport& input) {
  analysis::Run run{.name = input.path};
  if (input.recording) {
    run.environment = analysis::environment_of(*input.recording, input.compiled);
    run.quality = input.quality;
    run.throttled = input.stats.throttled.size();
    run.damaged = !input.stats.whole();
  }
  return run;
}

}  // namespace perfsift::tools
