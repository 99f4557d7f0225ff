#include "output/gate/markdown.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/printable_utf8.h"
#include "output/gate/assertion_text.h"
#include "output/gate/verdict_text.h"

namespace perfsift::output {
namespace {

using analysis::AssertionResult;
using analysis::Finding;
using analysis::FindingKind;
using analysis::Outcome;
using analysis::Verdict;

constexpr std::size_t most_stacks = 3;  // under each function that costs more

std::string share_text(const analysis::SideShare& side) {
  return fmt::format("{:.2f} % ({})", 100 * side.share, side.samples);
}

std::string_view kind_text(FindingKind kind) {
  switch (kind) {
    case FindingKind::dearer:
      return "costs more";
    case FindingKind::added:
      return "new";
    case FindingKind::drifting:
      return "drifts";
    case FindingKind::earlier_step:
      return "earlier step";
    case FindingKind::cheaper:
      return "costs less";
    case FindingKind::gone:
      return "gone";
    case FindingKind::undecided:
      return "undecided";
    case FindingKind::shifted:
      return "shifted between callers";
    case FindingKind::renamed:
      return "renamed";
    case FindingKind::inlined:
      return "inlined";
  }
  return {};
}

class VerdictMarkdown {
 public:
  VerdictMarkdown(const Verdict& verdict, TextWriter& out) : verdict_(verdict), out_(out) {}

  void write(const std::vector<std::string>& notes) {
    out_.format("## perfsift check: {}\n", outcome_text(verdict_.outcome));
    write_reasons();
    write_assertions();
    write_findings();
    write_stacks();
    write_method(notes);
  }

 private:
  void write_reasons() {
    if (verdict_.reasons.empty()) return;
    out_.text("\n");
    for (const analysis::Reason& reason : verdict_.reasons) {
      out_.format("- {}{}: {}", reason.tolerated ? "tolerated, " : "", markdown_code(reason.key),
                  markdown_text(reason.text));
      if (!reason.tolerated) out_.format("; {}", markdown_text(reason.advice));
      out_.character('\n');
    }
  }

  void write_assertions() {
    if (verdict_.assertions.empty()) return;
    out_.text("\n| Assertion | Result | Measured |\n| --- | --- | --- |\n");
    for (const AssertionResult& result : verdict_.assertions) {
      out_.format("| {} | {} | {} |\n", markdown_cell_code(result.text), outcome_text(result.outcome),
                  markdown_text(assertion_sentence(result)));
    }
  }

  void write_findings() {
    if (verdict_.findings.empty()) return;
    out_.format("\n| Function | Change | Part | Before | After | Effect, % of total cost ({} interval) |\n",
                confidence_text(verdict_.rules));
    out_.text("| --- | --- | --- | ---: | ---: | ---: |\n");
    for (const Finding& finding : verdict_.findings) {
      const analysis::Estimate& effect = finding.effect;
      out_.format("| {} | {} | {} | {} | {} | {:+.2f} ({:+.2f} to {:+.2f}) |\n", function_text(finding),
                  kind_text(finding.kind), finding.part == analysis::Part::self ? "self" : "total",
                  share_text(finding.before), share_text(finding.after), 100 * effect.value, 100 * effect.low,
                  100 * effect.high);
    }
  }

  static std::string function_text(const Finding& finding) {
    std::string text = markdown_cell_code(finding.function.name);
    if (!finding.function.binary.empty()) text += " in " + markdown_cell_code(finding.function.binary);
    if (finding.match) text += ", before " + markdown_cell_code(finding.match->before.name);
    return text;
  }

  void write_stacks() {
    for (const Finding& finding : verdict_.findings) {
      const bool shows_stacks = finding.kind == FindingKind::dearer || finding.kind == FindingKind::added ||
                                finding.kind == FindingKind::drifting || finding.kind == FindingKind::shifted;
      if (!shows_stacks || finding.stacks.empty()) continue;
      out_.format("\nStacks with {}:\n\n", markdown_code(finding.function.name));
      for (std::size_t i = 0; i < std::min(most_stacks, finding.stacks.size()); ++i) {
        const analysis::StackUnder& stack = finding.stacks[i];
        std::string frames;
        for (const std::string& frame : stack.frames) frames += (frames.empty() ? "" : ";") + frame;
        out_.format("- {}: {} before, {} after\n", markdown_code(frames), share_text(stack.before),
                    share_text(stack.after));
      }
    }
  }

  void write_method(const std::vector<std::string>& notes) {
    out_.text("\n");
    for (const std::string& sentence : method_sentences(verdict_)) out_.format("- {}\n", markdown_text(sentence));
    for (const std::string& note : notes) out_.format("- {}\n", markdown_text(note));
  }

  const Verdict& verdict_;
  TextWriter& out_;
};

}  // namespace

std::string markdown_text(std::string_view text) {
  std::string result;
  for (const char c : printable_utf8(text)) {
    // Commas, parentheses after them and the like have no meaning inside a line.
    const bool has_meaning = std::ispunct(static_cast<unsigned char>(c)) != 0 && c != ',' && c != ';' && c != '%';
    if (has_meaning) result += '\\';
    result += c;
  }
  return result;
}

std::string markdown_code(std::string_view text) {
  const std::string inside = printable_utf8(text);
  std::size_t longest = 0, run = 0;
  for (const char c : inside) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  // A blank at both ends is not shown.
  const bool needs_blanks = inside.empty() || inside.front() == '`' || inside.back() == '`' || inside.front() == ' ';
  const std::string_view blank = needs_blanks ? " " : "";
  return fmt::format("{}{}{}{}{}", fence, blank, inside, blank, fence);
}

std::string markdown_cell_code(std::string_view text) {
  std::string code;
  for (const char c : markdown_code(text)) {
    if (c == '|') code += '\\';
    code += c;
  }
  return code;
}

void write_verdict_markdown(const Verdict& verdict, const std::vector<std::string>& notes, TextWriter& out) {
  VerdictMarkdown(verdict, out).write(notes);
}

}  // namespace perfsift::output
