// The options of --in-kernel, which perfsift record and perfsift offcpu share.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "options/command_line.h"
#include "record/session_plan.h"
#include "record/waits/wait_recorder.h"

namespace perfsift::tools {

class WaitOptions {
 public:
  bool in_kernel = false;
  std::optional<std::uint64_t> over;              // nanoseconds
  std::optional<std::chrono::nanoseconds> every;  // the time between two reports, or readings of the sums
  std::optional<std::chrono::system_clock::time_point> begins_at;

  void add_to(options::po::options_description& options);
  // What --over is if it was not given.
  void over_as(std::optional<std::uint64_t> nanoseconds);
  // Reads what add_to() only stores as text. Throws UsageError.
  void complete();
  // Makes the events and the target of the session those of a recording without samples of the kernel's own: only names
  // and mappings. Returns what the BPF programs measure. Throws UsageError for targets that they do not know.
  record::WaitPlan apply(record::SessionPlan& plan) const;
  // Loads the programs. Throws Error.
  std::unique_ptr<record::WaitRecorder> open(const record::WaitPlan& plan) const;

 private:
  static constexpr const char* both_stacks = "both";

  std::uint32_t copied_stack(const record::SampleContent& content) const;

  std::string over_text_, every_text_, begins_at_text_, stacks_ = both_stacks;
  bool counts_programs_ = false;
  std::optional<std::size_t> rows_;
};

}  // namespace perfsift::tools
