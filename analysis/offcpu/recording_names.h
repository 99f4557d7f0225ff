// The names of a recording's threads and stacks.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analysis/offcpu/names.h"
#include "analysis/samples/code_versions.h"
#include "analysis/samples/frame_namer.h"
#include "analysis/samples/stack_namer.h"
#include "reader/recording.h"

namespace perfsift::offcpu {

class RecordingNames : public Names {
 public:
  RecordingNames(const reader::Recording& recording, symbolize::Symbolizer& symbolizer,
                 const analysis::CodeVersions& versions, const Scheduler& scheduler, const StackTable& stacks,
                 const analysis::FrameStyle& style);

  void forget() override;
  bool is_kernel_thread(const ThreadClock& thread, std::uint64_t now) const override {
    return Names::is_kernel_thread(thread, now) || timeline_.parent(thread.pid, {now, ~std::uint64_t{0}}) == kthreadd;
  }
  std::string cgroup(std::uint64_t id) const override { return std::string(timeline_.cgroup(id)); }

 private:
  std::string comm_of(std::int32_t tid, std::uint32_t name) const override;
  void name(StackId id, NamedStack& named) override;
  void begin_naming();

  const reader::Timeline& timeline_;
  symbolize::Symbolizer& symbolizer_;
  const analysis::CodeVersions& versions_;
  const analysis::FrameStyle style_;
  std::unique_ptr<analysis::FrameNamer> namer_;
  std::unique_ptr<analysis::StackNamer> stack_namer_;
};

}  // namespace perfsift::offcpu
