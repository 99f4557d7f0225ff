#include "tools/gate/gate_run.h"

namespace perfsift::tools {

analysis::Run run_of(const InputReport& input) {
  analysis::Run run{.name = input.path};
  if (const auto* const recording = input.get<RecordingReport>()) {
    run.environment = analysis::environment_of(recording->description, recording->compiled);
    run.quality = input.quality;
    run.throttled = recording->stats.throttled.size();
    run.damaged = !recording->stats.whole();
  }
  return run;
}

}  // namespace perfsift::tools
