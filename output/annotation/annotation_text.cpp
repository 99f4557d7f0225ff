#include "output/annotation/annotation_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "analysis/report/report.h"
#include "base/counted.h"
#include "base/printable.h"
#include "output/columns.h"
#include "output/report/report_table.h"

namespace perfsift::output {
namespace {

using analysis::Amount;
using analysis::AnnotatedLine;
using analysis::percent_of;

class AnnotationText {
 public:
  AnnotationText(const AnnotationContents& contents, const TerminalStyle& style, TextWriter& out)
      : contents_(contents), annotation_(contents.annotation), style_(style), out_(out) {}

  void write() {
    title();
    out_.text("\n  share  samples    line  source\n");
    const AnnotatedLine* before = nullptr;
    for (const AnnotatedLine& line : annotation_.lines) {
      if (before == nullptr || before->function != line.function || before->file != line.file) heading(line);
      source_line(line);
      before = &line;
    }
    for (const CodeListing& listing : contents_.code) code(listing);
  }

 private:
  void title() {
    const Amount& all = annotation_.all;
    out_.format("{} of {}: {:.2f}% self in {}", printable(contents_.function), printable(annotation_.event),
                percent_of(annotation_.self, all), counted(annotation_.self.samples, "sample"));
    if (annotation_.inlined != Amount()) {
      out_.format(", {:.2f}% in {} of code inlined into it", percent_of(annotation_.inlined, all),
                  counted(annotation_.inlined.samples, "sample"));
    }
    out_.format("; {} in all\n", counted(all.samples, "sample"));
  }

  void heading(const AnnotatedLine& line) {
    if (line.inlined) out_.format("inlined {}, ", printable(line.function));
    out_.format("{}\n", line.file.empty() ? std::string("lines not known") : printable(line.file));
  }

  void source_line(const AnnotatedLine& line) {
    amounts(line.amount);
    const std::string number = line.line != 0 ? std::to_string(line.line) : "?";
    out_.right(number, 8);
    const std::string text = line.line != 0 ? contents_.source(line.file, line.line) : std::string();
    rest(printable(text));
  }

  void code(const CodeListing& listing) {
    out_.format("\ncode of {} in {}\n", printable(listing.function), printable(listing.binary));
    if (!listing.why_not.empty()) out_.format("no instructions: {}\n", printable(listing.why_not));
    std::size_t width = 0, address_width = std::string_view("address").size();
    for (const CodeLine& line : listing.lines) {
      width = std::max(width, std::min(width_of(line.instruction), widest_padding));
      address_width = std::max(address_width, fmt::format("{:x}", line.address).size());
    }
    out_.text("  share  samples  ");
    out_.right("address", address_width);
    out_.text("  instruction\n");
    const std::string* place = nullptr;
    for (const CodeLine& line : listing.lines) {
      amounts(line.amount);
      out_.spaces(2);
      out_.hex(line.address, address_width);
      std::string text = printable(line.instruction);
      if (!line.place.empty() && (place == nullptr || *place != line.place)) {
        text.append(std::max(width, width_of(text)) - width_of(text), ' ');
        text += "  # " + printable(line.place);
      }
      place = &line.place;
      rest(text);
    }
  }

  // Prints nothing where there are no samples, so that lines with samples stand out.
  void amounts(const Amount& amount) {
    if (amount == Amount()) return out_.spaces(16);
    const double percent = percent_of(amount, annotation_.all);
    const std::string_view colour = style_.colour ? colour_of_share(percent) : std::string_view();
    out_.text(colour);
    out_.right(percent_text(percent), 7);
    if (!colour.empty()) out_.text(end_of_colour);
    out_.decimal(amount.samples, 9);
  }

  // The last column.
  void rest(const std::string& text) {
    constexpr std::size_t before = 34;
    if (!text.empty()) {
      out_.spaces(2);
      out_.text(style_.is_terminal()
                    ? cut_to(text, std::max(style_.columns, before + 1) - before, CutEnd::end, style_.unicode)
                    : text);
    }
    out_.character('\n');
  }

  const AnnotationContents& contents_;
  const analysis::Annotation& annotation_;
  const TerminalStyle& style_;
  TextWriter& out_;
};

Json code_json(const CodeListing& listing, const Amount& all) {
  Json lines = Json::array();
  for (const CodeLine& line : listing.lines) {
    lines.push_back({{"address", line.address},
                     {"instruction", line.instruction},
                     {"place", line.place},
                     {"inlined", line.inlined},
                     {"amount", amount_json(line.amount, all)}});
  }
  return {{"function", listing.function},
          {"binary", listing.binary},
          {"why_no_instructions", listing.why_not},
          {"lines", std::move(lines)}};
}

}  // namespace

void write_annotation_text(const AnnotationContents& contents, const TerminalStyle& style, TextWriter& out) {
  AnnotationText(contents, style, out).write();
}

Json annotation_json(const AnnotationContents& contents) {
  const Amount& all = contents.annotation.all;
  Json lines = Json::array();
  for (const AnnotatedLine& line : contents.annotation.lines) {
    lines.push_back({{"function", line.function},
                     {"file", line.file},
                     {"line", line.line},
                     {"inlined", line.inlined},
                     {"amount", amount_json(line.amount, all)},
                     {"source", line.line != 0 ? contents.source(line.file, line.line) : std::string()}});
  }
  Json code = Json::array();
  for (const CodeListing& listing : contents.code) code.push_back(code_json(listing, all));
  return {{"function", contents.function},
          {"event", contents.annotation.event},
          {"samples", all.samples},
          {"value", all.value},
          {"self", amount_json(contents.annotation.self, all)},
          {"inlined", amount_json(contents.annotation.inlined, all)},
          {"lines", std::move(lines)},
          {"code", std::move(code)}};
}

}  // namespace perfsift::output
