// The current sample of a thread, behind Sample.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <perfsift/sample.h>

#include "analysis/samples/code_versions.h"
#include "analysis/samples/resolved_sample.h"
#include "library/naming.h"
#include "library/recording_state.h"

namespace perfsift::v0::detail {

// Thread, stack and names are looked up on first use. Not thread-safe. All constructor arguments must live longer.
class SampleView {
 public:
  SampleView(const RecordingState& recording, Naming& naming, std::size_t max_frames);

  // Shared with filters, which look up the same things.
  analysis::ResolvedSample& resolved() { return resolved_; }
  // Sets the sample of all following calls, which must live until then. `resolved`: it is already set in resolved().
  void set(const reader::Sample& sample, bool resolved);

  const reader::Sample& sample() const { return resolved_.sample(); }
  const Event& event() const { return recording_.events[sample().event->index]; }
  std::string_view comm() { return names_->comms().of(sample().tid, resolved_.thread().comm); }
  FieldValue field(std::string_view name) const;
  std::span<const Frame> stack();
  std::span<const Address> callchain();
  bool is_truncated() { return resolved_.stack().truncated; }

 private:
  void name_stack();

  const RecordingState& recording_;
  Naming::Lease names_;
  analysis::CodeVersionFinder versions_;
  analysis::ResolvedSample resolved_;
  bool has_stack_ = false;
  bool has_callchain_ = false;
  std::vector<analysis::FrameId> ids_;
  std::vector<Frame> frames_;
  std::vector<Address> addresses_;
};

}  // namespace perfsift::v0::detail
