// The instructions of annotated functions, with their samples and their places in the source.
#pragma once

#include "analysis/annotation/annotation.h"
#include "output/annotation/annotation_text.h"
#include "symbolize/symbolizer.h"

namespace perfsift::tools {

// Lists the code of `code`. If it is a function that the annotated function was inlined into (`whole` is false), or is
// very long, only the instructions with samples. The amounts of all lines are those of `code`.
output::CodeListing list_code(const analysis::AnnotatedCode& code, bool whole, symbolize::Symbolizer& symbolizer,
                              const symbolize::SymbolizeOptions& options);

}  // namespace perfsift::tools
