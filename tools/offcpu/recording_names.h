// The names of a recording's threads and stacks.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "reader/recording.h"
#include "tools/offcpu/names.h"
#include "tools/profile/address_table.h"
#include "tools/profile/code_versions.h"
#include "tools/profile/frame_namer.h"

namespace perfsift::offcpu {

class RecordingNames : public Names {
 public:
  RecordingNames(const reader::Recording& recording, symbolize::Symbolizer& symbolizer,
                 const tools::CodeVersions& versions, const Scheduler& scheduler, const StackTable& stacks,
                 const tools::FrameStyle& style);

  void forget() override;
  std::string cgroup(std::uint64_t id) const override { return std::string(timeline_.cgroup(id)); }

 private:
  std::string comm_of(std::int32_t tid, std::uint32_t name) const override;
  void name(StackId id, NamedStack& named) override;
  void append(const StackOwner& owner, const reader::CallchainPart& part, std::vector<tools::FrameId>& frames);
  void begin_naming();

  const reader::Timeline& timeline_;
  symbolize::Symbolizer& symbolizer_;
  const tools::CodeVersions& versions_;
  const tools::FrameStyle style_;
  std::unique_ptr<tools::FrameNamer> namer_;
  std::unique_ptr<tools::AddressTables> addresses_;
};

}  // namespace perfsift::offcpu
