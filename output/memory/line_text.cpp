#include "output/memory/line_text.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/counted.h"
#include "base/printable.h"
#include "output/memory/access_numbers.h"
#include "output/memory/memory_text.h"
#include "output/memory/padding_advice.h"
#include "output/report/report_table.h"
#include "output/table/key_columns.h"

namespace perfsift::output {
namespace {

using analysis::CacheLine;
using analysis::LineAccesses;
using analysis::LineCode;
using analysis::LineOffset;
using analysis::LineThread;
using analysis::Sharing;

constexpr std::size_t most_code = 5;  // functions that are shown per offset

void write_numbers(const LineAccesses& accesses, TextWriter& out) {
  out.decimal(accesses.local_hitm, number_width);
  out.decimal(accesses.remote_hitm, number_width);
  out.decimal(accesses.local_peer + accesses.remote_peer, number_width);
  out.decimal(accesses.loads, number_width);
  out.decimal(accesses.stores, number_width);
  out.decimal(accesses.others, number_width);
}

void write_number_names(TextWriter& out) {
  for (const char* name : {"lcl HITM", "rmt HITM", "peer", "loads", "stores", "others"}) out.right(name, number_width);
}

// Lines of one thread and lines that are only read need no details.
bool is_shared(const CacheLine& line) {
  return line.sharing != Sharing::one_thread && line.sharing != Sharing::read_only;
}

void write_table(const LineContents& contents, std::span<const CacheLine> shown, TextWriter& out) {
  constexpr std::size_t line_width = 20;
  out.right("line", line_width);
  write_number_names(out);
  out.right("threads", number_width);
  out.text("  sharing         data\n");
  for (const CacheLine& line : shown) {
    out.right(fmt::format("0x{:x}", line.address), line_width);
    write_numbers(line.accesses, out);
    out.decimal(line.threads, number_width);
    out.text("  ");
    const std::string_view doubt = line.stores_not_known && is_shared(line) ? "?" : "";
    out.left(fmt::format("{}{}", analysis::name_of(line.sharing), doubt), 14);
    out.format("  {}\n", printable(line.variable));
  }
  const std::size_t rest = contents.lines.lines().size() - shown.size();
  if (rest != 0) out.format("and {} (--limit 0 shows all)\n", counted(rest, "more line"));
}

// `declaration`: the declaration of the variable at the previous offset, which is not repeated.
void write_offset(const LineOffset& offset, std::string_view declaration, TextWriter& out) {
  constexpr std::size_t offset_width = 8, room = 4;
  out.right(fmt::format("0x{:x}", offset.offset), offset_width);
  write_numbers(offset.accesses, out);
  out.format("  {}", printable(offset.symbol));
  if (has_part(offset)) out.format("  {}", printable(offset.member));
  if (offset.declaration != "[unknown]" && offset.declaration != declaration)
    out.format("  ({})", printable(offset.declaration));
  out.character('\n');
  for (const LineThread& thread : offset.threads) {
    out.spaces(offset_width);
    write_numbers(thread.accesses, out);
    out.spaces(room);
    out.format("thread {}\n", printable(thread.name));
  }
  for (const LineCode& code : first_rows(offset.code, most_code)) {
    out.spaces(offset_width);
    write_numbers(code.accesses, out);
    out.spaces(room);
    out.format("{} ({})\n", printable(code.symbol), printable(code.dso));
  }
  if (!offset.cpus.empty()) {
    out.spaces(offset_width + 6 * number_width + room);
    out.format("CPUs {}{}\n", fmt::join(offset.cpus, ", "),
               offset.nodes.empty() ? "" : fmt::format("; nodes {}", fmt::join(offset.nodes, ", ")));
  }
}

void write_line(const CacheLine& line, std::uint64_t line_size, TextWriter& out) {
  out.format("\nline 0x{:x}: {} ({}{}), {}\n", line.address, printable(line.variable), line.kind,
             line.node == "[unknown]" ? "" : fmt::format(", node {}", line.node), reason_of(line));
  out.right("offset", 8);
  write_number_names(out);
  out.character('\n');
  std::string_view declaration;
  for (const LineOffset& offset : line.offsets) {
    write_offset(offset, declaration, out);
    declaration = offset.declaration;
  }
  for (const std::string& advice : padding_advice(line, line_size)) out.format("  {}\n", printable(advice));
}

}  // namespace

void write_lines_text(const LineContents& contents, TextWriter& out) {
  write_access_counts(contents.report.counts, out);
  const auto shown = first_rows(contents.lines.lines(), contents.limit);
  out.format("\n{} of {} bytes\n", counted(contents.lines.lines().size(), "cache line"), contents.lines.line_size());
  if (!shown.empty()) write_table(contents, shown, out);
  for (const CacheLine& line : shown) {
    if (is_shared(line)) write_line(line, contents.lines.line_size(), out);
  }
  write_notes(contents.notes, out);
}

}  // namespace perfsift::output
