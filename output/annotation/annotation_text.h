// The lines and instructions of a function with their samples, as text and as JSON.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/annotation/annotation.h"
#include "output/json.h"
#include "output/terminal_style.h"
#include "output/text_writer.h"

namespace perfsift::output {

// An instruction, or an address with samples whose instruction is not known.
struct CodeLine {
  std::uint64_t address = 0;  // in the file's own addresses, as objdump prints them
  std::string instruction;    // empty: not known
  std::string place;          // "app.c:42"; "size at vector.h:9, inlined at app.c:42"; empty: not known
  bool inlined = false;
  analysis::Amount amount;
};

// The code of an AnnotatedCode.
struct CodeListing {
  std::string function;
  std::string binary;
  std::string why_not;  // why instructions are missing; empty: they are there
  std::vector<CodeLine> lines;
};

struct AnnotationContents {
  std::string function;
  const analysis::Annotation& annotation;
  std::vector<CodeListing> code;
  // The text of a line of a source file; empty where there is none.
  std::function<std::string(std::string_view file, std::uint32_t line)> source;
};

void write_annotation_text(const AnnotationContents& contents, const TerminalStyle& style, TextWriter& out);
Json annotation_json(const AnnotationContents& contents);

}  // namespace perfsift::output
