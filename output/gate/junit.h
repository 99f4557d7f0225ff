// The verdict as the XML of JUnit, which CI systems show as test results.
#pragma once

#include "analysis/gate/verdict.h"
#include "output/text_writer.h"

namespace perfsift::output {

// One test case for each reason, assertion and finding. What cannot be judged is an error, so that it never looks like
// a pass; what changes nothing is a skipped test.
void write_junit(const analysis::Verdict& verdict, TextWriter& out);

}  // namespace perfsift::output
