// What threads and stacks are called.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reader/recording.h"
#include "tools/offcpu/interval.h"
#include "tools/offcpu/scheduler.h"
#include "tools/offcpu/stack_table.h"
#include "tools/profile/address_table.h"
#include "tools/profile/code_versions.h"
#include "tools/profile/frame_namer.h"

namespace perfsift::offcpu {

// The frames of a stack, from the leaf to the root.
struct NamedStack {
  bool named = false;
  std::vector<tools::FrameId> kernel;
  std::vector<tools::FrameId> user;
};

// Each stack is named when it is first asked for. Not thread-safe; everything it is given must live as long.
class Names {
 public:
  Names(const reader::Recording& recording, symbolize::Symbolizer& symbolizer, const tools::CodeVersions& versions,
        const Scheduler& scheduler, const StackTable& stacks, const tools::FrameStyle& style);

  // The name perf shows for a thread, and that with its number: "worker[1234]". As it is called last.
  std::string comm(ThreadNumber thread) const;
  std::string thread(ThreadNumber thread) const;
  // As it was called when the stack was recorded.
  std::string comm_of_stack(StackId stack) const;

  // Good until the next call.
  const NamedStack& stack(StackId stack);
  // "leaf;…;root", of the user's part below the kernel's; empty where no stack was recorded.
  std::string leaf_first(StackId stack, std::string_view separator = ";");

  tools::FrameTable& frames() { return *frames_; }
  const tools::FrameTable& frames() const { return *frames_; }
  const reader::Timeline& timeline() const { return timeline_; }
  const Scheduler& scheduler() const { return scheduler_; }

  // For a recording without end, whose stacks have been forgotten.
  void forget();

 private:
  void name(StackId id, NamedStack& named);
  void append(const StackOwner& owner, const reader::CallchainPart& part, std::vector<tools::FrameId>& frames);

  const reader::Timeline& timeline_;
  symbolize::Symbolizer& symbolizer_;
  const tools::CodeVersions& versions_;
  const Scheduler& scheduler_;
  const StackTable& stacks_;
  const tools::FrameStyle style_;
  std::unique_ptr<tools::FrameTable> frames_;
  std::unique_ptr<tools::FrameNamer> namer_;
  std::unique_ptr<tools::AddressTables> addresses_;
  std::vector<NamedStack> named_;  // by StackId
};

}  // namespace perfsift::offcpu
