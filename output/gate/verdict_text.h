// The verdict of perfsift check for people.
#pragma once

#include <string>
#include <vector>

#include "analysis/gate/verdict.h"
#include "output/terminal_style.h"
#include "output/text_writer.h"

namespace perfsift::output {

// The outcome first; then reasons, assertions and findings, each with what to do. `notes`: what was lost, cut or has no
// name.
void write_verdict_text(const analysis::Verdict& verdict, const std::vector<std::string>& notes,
                        const TerminalStyle& style, TextWriter& out);

// "passed", "failed", "cannot judge".
std::string_view outcome_text(analysis::Outcome outcome);
// "95 %": of the intervals.
std::string confidence_text(const analysis::Rules& rules);
// "f [app]", without control characters.
std::string name_text(const analysis::FunctionName& function);
// A finding in one line, without control characters: "f [app] costs more: +2.31 % of total cost (95 % interval …".
std::string finding_sentence(const analysis::Finding& finding, const analysis::Rules& rules);
// What the judgement rests on, a sentence for each part.
std::vector<std::string> method_sentences(const analysis::Verdict& verdict);

}  // namespace perfsift::output
