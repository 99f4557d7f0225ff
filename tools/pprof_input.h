// A profile of pprof as an input, in two steps, so that several can be read side by side.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analysis/collect/pprof_collector.h"
#include "analysis/input/pprof_profile.h"
#include "reader/input_file.h"
#include "tools/input_profile.h"

namespace perfsift::tools {

// Unpacks the input: all bytes are in `mapped` then. Throws InputError if the container is damaged, or if there are
// more bytes than a profile of pprof can have.
void unpack_pprof(reader::InputFile& input);

// Not thread-safe; several can be used at the same time.
class PprofInput {
 public:
  // Unpacks and parses. Throws InputError.
  explicit PprofInput(reader::InputFile input);

  // Adds a list, and the events, to the profile. Everything given must live as long.
  void start(analysis::Profile& profile, const ProfileReading& reading);
  // Adds the samples to this list, and to `rows`, in which the stacks of the list have numbers from `first_stack` on.
  // Throws InputError.
  void collect(std::uint32_t first_stack, analysis::TableBuilder* rows, InputReport& report);

 private:
  std::string first_event() const;

  reader::InputFile input_;
  std::optional<analysis::PprofProfile> pprof_;
  std::optional<analysis::PprofCollector> collector_;
};

}  // namespace perfsift::tools
