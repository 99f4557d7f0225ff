// `fold --compat flamegraph`: what `perf script | stackcollapse-perf.pl` prints, for recordings and for text.
#pragma once

#include <string>
#include <vector>

#include "analysis/input/stackcollapse_perf.h"
#include "filter/filter.h"
#include "output/files/output_file.h"
#include "output/script/sample_printer.h"
#include "symbolize/symbolizer.h"
#include "tools/input_profile.h"

namespace perfsift::tools {

// Feeds the inputs, one after the other, to one collapser, as `cat` would, and writes its result. A recording is first
// turned into the text that perf 6.1 prints, in the form `samples` says, of those samples that `filter` keeps; text
// must not come with a filter. Throws InputError, UsageError, and what `out` throws.
std::vector<InputReport> fold_as_flamegraph(const std::vector<std::string>& paths, symbolize::Symbolizer& symbolizer,
                                            const analysis::StackcollapseOptions& options,
                                            const output::SampleOptions& samples, const filter::Filter& filter,
                                            const analysis::StackcollapsePerf::Notice& notice, output::OutputFile& out);

}  // namespace perfsift::tools
