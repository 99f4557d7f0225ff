// Memory accesses as text, JSON and CSV.
#pragma once

#include "output/json.h"
#include "output/memory/memory_contents.h"
#include "output/terminal_style.h"
#include "output/text_writer.h"

namespace perfsift::output {

void write_memory_text(const MemoryContents& contents, const TerminalStyle& style, TextWriter& out);
// One object, with stable keys.
Json memory_json(const MemoryContents& contents);
// Writes the first table, with a header.
void write_memory_csv(const MemoryContents& contents, TextWriter& out);

// The counts by category as members of an object, and as lines of text.
Json access_counts_json(const analysis::AccessCounts& counts);
// [{"part": "mem_hops", "value": 7, "accesses": 2}]
Json unknown_values_json(const analysis::UnknownValues& values);
void write_access_counts(const analysis::AccessCounts& counts, TextWriter& out);

}  // namespace perfsift::output
