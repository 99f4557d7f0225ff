// Profiles of pprof, unpacked, as all commands read them.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "analysis/profile/call_tree.h"
#include "analysis/profile/pprof_collector.h"
#include "base/error.h"

using namespace perfsift;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const analysis::PprofProfile input(std::as_bytes(std::span(data, size)));
    analysis::StackOptions options;
    options.frames.detail = analysis::FrameDetail::address;
    analysis::Profile profile;
    analysis::SampleLog log;
    analysis::PprofCollector collector(input, profile, options,
                                       [](std::string_view event) { return std::string(event); });
    collector.log_to(log, 0);
    collector.collect();
    if (collector.stats().malformed > collector.stats().samples) __builtin_trap();
    const analysis::CallTree tree(profile, {}, 1);
    for (analysis::CallTree::Node node = 1; node < tree.size(); ++node) {
      if (tree.frame(node) >= profile.frames().size()) __builtin_trap();
    }
    for (const analysis::LoggedAmount& amount : log.amounts()) {
      if (amount.stack != analysis::LoggedSample::no_stack && amount.stack >= profile.stack_count()) __builtin_trap();
      if (amount.context >= log.contexts().size()) __builtin_trap();
    }
  } catch (const InputError&) {  // is no profile
  }
  return 0;
}
