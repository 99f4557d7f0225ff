// The changes between two profiles as text, JSON and CSV.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/comparison/comparison.h"
#include "output/json.h"
#include "output/terminal_style.h"
#include "output/text_writer.h"

namespace perfsift::output {

struct DiffContents {
  const std::vector<analysis::ComparedTable>& tables;
  const analysis::Keys& keys;
  analysis::ChangeOf what = analysis::ChangeOf::shares;
  std::size_t limit = 0;                // rows of each table; 0: all
  bool counts = false;                  // of folded text, which are taken for samples
  std::vector<std::string> notes = {};  // what was lost, cut or has no name
};

// One table after the other, each with the name of its event.
void write_diff_text(const DiffContents& contents, const TerminalStyle& style, TextWriter& out);
// One object, with stable keys.
Json diff_json(const DiffContents& contents);
// The tables of all events as one, with a header.
void write_diff_csv(const DiffContents& contents, TextWriter& out);

}  // namespace perfsift::output
