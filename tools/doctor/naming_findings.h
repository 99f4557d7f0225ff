// What names and stacks this machine has for what is recorded on it.
#pragma once

#include "record/doctor/finding.h"
#include "record/machine/kernel_files.h"
#include "symbolize/symbolizer.h"

namespace perfsift::tools {

// `network`: whether debuginfod servers are asked.
record::Findings naming_findings(const record::KernelRoots& roots, const symbolize::SymbolizeOptions& options,
                                 bool network);

}  // namespace perfsift::tools
