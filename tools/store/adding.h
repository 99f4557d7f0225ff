// Adds recordings and other profiles to a store.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "store/loader.h"
#include "tools/input_profile.h"
#include "tools/recording/recording_run.h"
#include "tools/store/label_options.h"

namespace perfsift::tools {

struct AddedRecordings {
  std::uint64_t recordings = 0, samples = 0;
  std::uint64_t already_there = 0;
};

// Reads the inputs of `run`, with all threads, and adds them. An input that cannot be used does not stop the others:
// the run's diagnostics say so. Throws InputError if the store cannot be written.
AddedRecordings add_to_store(RecordingRun& run, const Labelling& labelling, store::Engine& engine);

}  // namespace perfsift::tools
