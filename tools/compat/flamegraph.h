// `fold --compat flamegraph`: what `perf script | stackcollapse-perf.pl` prints, for recordings and for text.
#pragma once

#include <string>
#include <vector>

#include "dlfilters/core/filter.h"
#include "symbolize/symbolizer.h"
#include "tools/compat/stackcollapse_perf.h"
#include "tools/output/output_file.h"
#include "tools/profile/input_profile.h"
#include "tools/script/sample_printer.h"

namespace perfsift::tools {

// Feeds the inputs, one after the other, to one collapser, as `cat` would, and writes its result. A recording is first
// turned into the text that perf 6.1 prints, in the form `samples` says, of those samples that `filter` keeps; text
// must not come with a filter. Throws InputError, UsageError, and what `out` throws.
std::vector<InputReport> fold_as_flamegraph(const std::vector<std::string>& paths, symbolize::Symbolizer& symbolizer,
                                            const StackcollapseOptions& options, const SampleOptions& samples,
                                            const filter::Filter& filter, const StackcollapsePerf::Notice& notice,
                                            OutputFile& out);

}  // namespace perfsift::tools
