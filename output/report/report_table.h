// The rows of perfsift report, as text, JSON and CSV.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/report/report.h"
#include "output/json.h"
#include "output/terminal_style.h"
#include "output/text_writer.h"

namespace perfsift::output {

struct ReportContents {
  const std::vector<analysis::ReportTable>& tables;
  const analysis::Keys& keys;
  std::size_t limit = 0;           // rows of each table; 0: all
  std::vector<std::string> notes;  // remarks on losses, cut stacks and missing names
};

// The tables one after the other, each with the name of its event.
void write_report_text(const ReportContents& contents, const TerminalStyle& style, TextWriter& out);
// One object, with stable keys.
Json report_json(const ReportContents& contents);
// The tables of all events as one, with a header.
void write_report_csv(const ReportContents& contents, TextWriter& out);

// The lines of `notes`, after an empty line.
void write_notes(const std::vector<std::string>& notes, TextWriter& out);

// The object as ASCII text for a person or a program.
void write_json(const Json& json, TextWriter& out);
// "12.34%"
std::string percent_text(double percent);
// An amount as members of a JSON object.
Json amount_json(const analysis::Amount& amount, const analysis::Amount& all);

}  // namespace perfsift::output
