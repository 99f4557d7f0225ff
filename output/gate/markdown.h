// The verdict as Markdown, for the summary of a job: CommonMark with the tables of GitHub.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/gate/verdict.h"
#include "output/text_writer.h"

namespace perfsift::output {

void write_verdict_markdown(const analysis::Verdict& verdict, const std::vector<std::string>& notes, TextWriter& out);

// Untrusted text that means nothing in Markdown: one line, in which each punctuation mark has a backslash in front.
std::string markdown_text(std::string_view text);
// Untrusted text as code. Only in a cell of a table a bar needs a backslash, which elsewhere would be shown.
std::string markdown_code(std::string_view text);
std::string markdown_cell_code(std::string_view text);

}  // namespace perfsift::output
