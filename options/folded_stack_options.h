// The options of folded stacks that perfsift fold and perfsift-fold.so share.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/samples/stack_options.h"
#include "options/command_line.h"

namespace perfsift::options {

class FoldedStackOptions {
 public:
  // Who names frames. For a dlfilter, perf unwinds stacks and names frames, so the module has no options for that.
  enum class NamedBy : std::uint8_t { perfsift, perf };
  explicit FoldedStackOptions(NamedBy named_by) : named_by_(named_by) {}

  void add_to(po::options_description& options);
  // Only the options that decide the frames and the weight of a sample, for outputs that are no folded text:
  // their frames are named by perfsift.
  void add_frames_to(po::options_description& options);
  // --collapse-recursion, which add_to() has for perfsift.
  void add_recursion_to(po::options_description& options);
  // add_frames_to() without --weight.
  void add_unweighted_frames_to(po::options_description& options);
  // add_unweighted_frames_to() without --no-inline, for commands that decide about inlined calls in another way.
  void add_physical_frames_to(po::options_description& options);
  // Adds only the option for interrupts, which add_to() adds, too.
  void add_interrupts_to(po::options_description& options);
  // Call it after the options have been parsed. Throws UsageError.
  const analysis::StackOptions& stacks();

 private:
  void set_annotations();

  const NamedBy named_by_;
  analysis::StackOptions stacks_;
  std::string weight_ = "period";
  std::string annotate_;
  std::string delimiter_;
  std::string demangle_ = "plain";
  std::string recursion_;
  std::string interrupts_ = "keep";
  bool no_comm_ = false;
  bool no_inline_ = false;
  bool kernel_only_ = false;
  bool user_only_ = false;
};

}  // namespace perfsift::options
