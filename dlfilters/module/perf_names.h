// perf's names of threads and of stacks.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/offcpu/names.h"
#include "analysis/offcpu/wait_kinds.h"
#include "dlfilters/module/perf_frames.h"

namespace perfsift::dlfilter {

// perf answers only about the sample that it shows, so the words of a stack are frames that were named at that time.
class PerfNames : public offcpu::Names, public offcpu::StackSymbols {
 public:
  PerfNames(const offcpu::Scheduler& scheduler, offcpu::StackTable& stacks)
      : Names(scheduler, stacks), table_(stacks), frames_(frames(), {}) {}

  // The number that stands for a name; never 0.
  std::uint32_t number_of(std::string_view comm);

  // The stack of the sample, whose thread has this name; 0: none.
  offcpu::StackId stack_of(PerfSample& sample, std::uint32_t name);
  void for_each_symbol(offcpu::StackId stack, bool of_kernel, const EachSymbol& each) override;
  offcpu::StackId without_frames(std::uint32_t name) { return table_.intern({.comm = name}, {}, true); }

 private:
  std::string comm_of(std::int32_t tid, std::uint32_t name) const override;
  void name(offcpu::StackId id, offcpu::NamedStack& named) override;

  offcpu::StackTable& table_;
  PerfFrames frames_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<std::string_view> comms_;  // of number 1 and up
  std::vector<Unaligned<std::uint64_t>> words_;
};

}  // namespace perfsift::dlfilter
