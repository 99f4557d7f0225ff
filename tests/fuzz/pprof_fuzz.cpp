// Profiles of pprof, unpacked, as all commands read them.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "analysis/collect/pprof_collector.h"
#include "analysis/profile/call_tree.h"
#include "base/error.h"

using namespace perfsift;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const analysis::PprofProfile input(std::as_bytes(std::span(data, size)));
    analysis::StackOptions options;
    options.frames.detail = analysis::FrameDetail::address;
    analysis::Profile profile;
    analysis::TableBuilder rows;
    analysis::PprofCollector collector(input, profile, options,
                                       [](std::string_view event) { return std::string(event); });
    collector.add_rows_to(rows, 0);
    collector.collect();
    if (collector.stats().malformed > collector.stats().samples) __builtin_trap();
    const analysis::CallTree tree(profile, {}, 1);
    for (analysis::CallTree::Node node = 1; node < tree.size(); ++node) {
      if (tree.frame(node) >= profile.frames().size()) __builtin_trap();
    }
    const analysis::SampleTable table = std::move(rows).seal(profile);
    for (const analysis::SumRow& amount : table.sums()) {
      if (amount.stack != analysis::SampleRow::no_stack && amount.stack >= profile.stack_count()) __builtin_trap();
      if (amount.context != analysis::SumRow::no_context && amount.context >= table.contexts().size()) __builtin_trap();
    }
  } catch (const InputError&) {  // not a profile
  }
  return 0;
}
