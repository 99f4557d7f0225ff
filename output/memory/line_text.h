// Cache lines and the threads that share them, as text, JSON and CSV.
#pragma once

#include "output/json.h"
#include "output/memory/memory_contents.h"
#include "output/text_writer.h"

namespace perfsift::output {

void write_lines_text(const LineContents& contents, TextWriter& out);
// One object, with stable keys.
Json lines_json(const LineContents& contents);
// A row for each thread of each offset of each line, with a header.
void write_lines_csv(const LineContents& contents, TextWriter& out);

}  // namespace perfsift::output
